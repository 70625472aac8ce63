package org.brigade.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import mpi.spi.Collective;
import mpi.spi.Counts;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.simulate.wiring.IdealWiring;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What {@code explain} predicts by an algorithm's equation is within a factor of what the simulator finds on the wires
 * that the equations assume, an {@link IdealWiring}. Algorithms that follow the wires are also told of nodes of three
 * and four ranks. Algorithms in shared memory and on GPUs have equations, but no schedule that the simulator could run.
 */
@Tag("calculation")
class EquationsBesideSimulatorTest {
    private static final double FACTOR = 1.5;
    /** Of the pipelined chains whose root is not at an end, which the equations do not know. */
    private static final double FACTOR_IN_THE_MIDDLE = 2.1;
    private static final double STARTUP = 2e-6;
    private static final double RATE = 6.8e9;
    private static final CostModel MODEL = new CostModel(STARTUP * 1e9, RATE / 1e9);
    private static final int[] RANKS = {2, 3, 4, 5, 7, 8, 12, 16, 17, 32, 64};
    private static final long[] SIZES = {8, 512, 32 << 10, 1 << 20, 64 << 20};
    private static final long SHORT_CHUNK = 64 << 10;
    private static final int[] PER_NODE = {0, 3, 4};

    @Test
    void everyEquationIsNearTheSimulator() {
        List<String> wrong = new ArrayList<>();
        for (Algorithm algorithm : Catalogue.all()) {
            if (!(algorithm instanceof ScheduledAlgorithm scheduled)) {
                continue;
            }
            for (int perNode : PER_NODE) {
                for (int ranks : perNode == 0 || mayBeTold(algorithm) ? RANKS : new int[0]) {
                    if (ranks > perNode) {
                        compare(scheduled, ranks, wires(algorithm, ranks, perNode), perNode, wrong);
                    }
                }
            }
        }
        assertEquals(List.of(), wrong, "predicted over simulated");
    }

    /** Whose equation does not count what a node's ranks send over its one link: these wires are one for each pair. */
    private static boolean mayBeTold(Algorithm algorithm) {
        return algorithm.wireUse() != WireUse.NONE && algorithm.wireUse() != WireUse.NODE_ORDER;
    }

    /** What an algorithm is told of nodes of so many ranks; 0: nothing. */
    private static CommunicatorTopology wires(Algorithm algorithm, int ranks, int perNode) {
        if (perNode == 0) {
            return CommunicatorTopology.NONE;
        }
        int[] nodeOf = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            nodeOf[rank] = rank / perNode;
        }
        CommunicatorTopology wires = CommunicatorTopology.ofNodes(null, nodeOf);
        return algorithm.wireUse() == WireUse.NETWORK ? wires.reducing(nodeOf, 1) : wires;
    }

    private static void compare(ScheduledAlgorithm algorithm, int ranks, CommunicatorTopology wires, int perNode,
        List<String> wrong) {
        Collective collective = algorithm.collective();
        for (long bytes : SIZES) {
            // Blocks without bytes are not sent.
            if (algorithm.restrictions().violatedBy(ranks, bytes, true) != null
                || collective.counts == Counts.SHARED && bytes < ranks) {
                continue;
            }
            for (long chunk : chunks(algorithm, ranks, wires, bytes)) {
                for (int radix : algorithm.radixed() ? new int[] {2, 4, 8} : new int[] {2}) {
                    double predicted =
                        algorithm.cost(MODEL, new PredictedCall(ranks, wires, bytes, chunk, radix, 0)) / 1e9;
                    for (int root : collective.rooted ? new int[] {0, ranks / 2} : new int[] {0}) {
                        double ratio = predicted / new Simulator(new IdealWiring(ranks, RATE, STARTUP))
                            .run(new SimulatedCall(algorithm, ranks, root, bytes, chunk, radix, wires)).seconds();
                        double most = root > 0 && algorithm == PIPELINED_REDUCE ? FACTOR_IN_THE_MIDDLE : FACTOR;
                        if (!(ratio < most + 1e-6 && ratio > 1 / most - 1e-6)) {
                            wrong.add(String.format(Locale.ROOT, "%s %.2f: %d ranks, %d a node, root %d, %d bytes,"
                                + " chunk %d, radix %d", algorithm, ratio, ranks, perNode, root, bytes, chunk, radix));
                        }
                    }
                }
            }
        }
    }

    private static final Algorithm PIPELINED_REDUCE = Catalogue.find(Collective.REDUCE, "pipelined-chain");

    private static Set<Long> chunks(ScheduledAlgorithm algorithm, int ranks, CommunicatorTopology wires, long bytes) {
        Set<Long> chunks = new TreeSet<>(Set.of(0L));
        if (algorithm.pipelined()) {
            long best = MODEL.bestChunk(algorithm.hops(ranks, wires), bytes);
            chunks.add(best < bytes ? best : 0);
            chunks.add(bytes > SHORT_CHUNK && bytes <= 1 << 20 ? SHORT_CHUNK : 0);
        }
        return chunks;
    }
}

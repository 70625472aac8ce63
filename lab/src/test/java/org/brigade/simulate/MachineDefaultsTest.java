package org.brigade.simulate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import mpi.spi.Collective;
import mpi.spi.Counts;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.select.ByteSize;
import org.brigade.select.Choice;
import org.brigade.select.MemorySpace;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.SizeThresholds;
import org.brigade.simulate.wiring.FatTreeWiring;
import org.brigade.simulate.wiring.NamedWirings;
import org.brigade.simulate.wiring.RoutingModel;
import org.brigade.topology.machine.Machines;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * On every shipped machine of several nodes, and on a fat tree, what is chosen by default takes at most 1.1 times what
 * the fastest algorithm takes, from 1 KiB to 256 MiB: no algorithm wins there that only force can reach. For the
 * machines the jar has tables; on the fat tree the equations choose. Sizes that are drawn, for each machine its own,
 * may take 1.2 times as long.
 */
@Tag("calculation")
class MachineDefaultsTest {
    private static final Collective[] COLLECTIVES =
        {Collective.BCAST, Collective.REDUCE, Collective.ALLREDUCE, Collective.ALLGATHER, Collective.REDUCE_SCATTER};
    private static final double ALLOWED = 1.1;
    /**
     * The same at sizes between the powers of two, for which the tables were made: a window serves a range of sizes.
     */
    private static final double ALLOWED_BETWEEN = 1.2;
    /** An algorithm that took so many times the best one's time, and more than at the size before, has lost. */
    private static final double LOST = 1.5;
    private static final long LEAST = 1 << 10;
    private static final long MOST = 256 << 20;
    private static final int STEP = 4;
    private static final int DRAWN = 3;

    private final Selector selector = Selector.of(MemorySpace.HOST, new Settings(new Properties(), Map.of()));

    static Stream<String> machines() {
        return Stream.concat(Stream.of("fat-tree:64"),
            Machines.names().stream().filter(name -> Machines.find(name).topology().nodes() > 1));
    }

    @ParameterizedTest
    @MethodSource("machines")
    void theDefaultTakesAtMostATenthMoreThanTheBest(String machine) {
        RoutingModel wiring = NamedWirings.find(machine);
        int ranks = wiring.ranks();
        CommunicatorTopology wires = wiring.wires(ranks, 64 << 10);
        long[] sizes = sizes(machine);
        List<String> slow = new ArrayList<>();
        for (Collective collective : COLLECTIVES) {
            slow.addAll(slow(new SteadyState(new Simulator(wiring)), collective, ranks, sizes, wires));
        }
        if (wiring instanceof FatTreeWiring) { // short blocks of GPUs are staged, which a machine's wiring does not
                                               // know
            slow.addAll(slow(new SteadyState(new Simulator(wiring)), Collective.ALLTOALL, ranks, sizes, wires));
        }
        assertTrue(slow.isEmpty(), () -> machine + ":\n" + String.join("\n", slow));
    }

    @Test
    void onAFatTreeOfAThousandHostsLongReductionsAndGathersHoldToo() {
        RoutingModel wiring = NamedWirings.find("fat-tree:1024");
        int ranks = wiring.ranks();
        CommunicatorTopology wires = wiring.wires(ranks, 64 << 10);
        List<String> slow = new ArrayList<>();
        for (Collective collective : List.of(Collective.REDUCE, Collective.ALLGATHER, Collective.REDUCE_SCATTER)) {
            slow.addAll(slow(new SteadyState(new Simulator(wiring)), collective, ranks, new long[] {16 << 20}, wires));
        }
        assertTrue(slow.isEmpty(), () -> String.join("\n", slow));
    }

    /** The same for a machine in every run, ascending. */
    private static long[] sizes(String machine) {
        Random random = new Random(machine.hashCode());
        LongStream drawn = LongStream.generate(
            () -> LEAST * (long) Math.pow((double) MOST / LEAST, random.nextDouble())).limit(DRAWN);
        LongStream powers = LongStream.iterate(LEAST, size -> size <= MOST, size -> size * STEP);
        return LongStream.concat(powers, drawn).sorted().toArray();
    }

    private List<String> slow(SteadyState simulator, Collective collective, int ranks, long[] sizes,
        CommunicatorTopology wires) {
        SizeThresholds ladder = selector.ladder(collective, ranks, true, Placement.ALIGNED, wires);
        List<Algorithm> algorithms = new ArrayList<>(Catalogue.of(collective));
        // Of what sends no messages, the time of its schedule says nothing.
        algorithms
            .removeIf(each -> !(each instanceof ScheduledAlgorithm) || each.wireUse() == WireUse.NETWORK
                || each.wireUse().pointless(wires) != null);
        double[] before = new double[algorithms.size()];
        List<String> slow = new ArrayList<>();
        for (long size : sizes) {
            long bytes = collective.counts == Counts.EQUAL ? size / ranks : size;
            if (bytes == 0) {
                continue;
            }
            Choice chosen = ladder.choice(ladder.step(bytes));
            double its = simulator.seconds(new SimulatedCall(chosen.algorithm().schedule(), ranks, 0, bytes,
                chosen.chunkBytes(), chosen.radix(), wires));
            for (int i = 0; i < before.length; i++) {
                Algorithm other = algorithms.get(i);
                if (before[i] == Double.POSITIVE_INFINITY
                    || other.restrictions().violatedBy(ranks, bytes, true) != null) {
                    continue;
                }
                double best = best(simulator, other, ranks, bytes, wires);
                if (its > (Long.bitCount(size) == 1 ? ALLOWED : ALLOWED_BETWEEN) * best) {
                    slow.add(collective.key() + " of " + ByteSize.words(size) + ": " + chosen.words() + " takes "
                        + its / best + " times what " + other.name() + " does");
                }
                before[i] = best > LOST * its && before[i] > 0 && best / its > before[i]
                    ? Double.POSITIVE_INFINITY : best / its;
            }
        }
        return slow;
    }

    /** The fastest of an algorithm's windows and radices. */
    private static double best(SteadyState simulator, Algorithm algorithm, int ranks, long bytes,
        CommunicatorTopology wires) {
        double best = Double.POSITIVE_INFINITY;
        CostModel costs = CostModel.between(wires.speed(), wires.nodes());
        long middle = algorithm.pipelined() ? costs.bestChunk(algorithm.hops(ranks, wires), bytes) : 0;
        for (int radix : algorithm.radixed() ? new int[] {2, 8} : new int[] {2}) {
            for (long chunk : middle == 0 ? new long[] {0} : new long[] {middle / 4, middle}) {
                best = Math.min(best, simulator.seconds(
                    new SimulatedCall(algorithm.schedule(), ranks, 0, bytes, chunk, radix, wires)));
            }
        }
        return best;
    }
}

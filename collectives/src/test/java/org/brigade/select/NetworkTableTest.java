package org.brigade.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import mpi.spi.Collective;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.NetworkSpeed;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables in the jar for ranks on several nodes. */
class NetworkTableTest {
    private static final NetworkSpeed SLOW = new NetworkSpeed(30_000, 200_000_000, 1, "a test");
    private static final Settings NONE = new Settings(new Properties(), Map.of());

    private static CommunicatorTopology nodes(int nodes, int local) {
        int[] nodeOf = new int[nodes * local];
        for (int rank = 0; rank < nodeOf.length; rank++) {
            nodeOf[rank] = rank / local;
        }
        return CommunicatorTopology.ofNodes(null, nodeOf).joinedBy("mpi");
    }

    private static Choice choice(Collective collective, int nodes, int local, NetworkSpeed speed, long bytes) {
        SizeThresholds ladder =
            Selector.of(MemorySpace.HOST, NONE).ladder(collective, nodes * local, true, Placement.ALIGNED,
                nodes(nodes, local).at(speed));
        return ladder.choice(ladder.step(bytes));
    }

    @Test
    void everyRuleNamesAnAlgorithmThatUsesItsWindowAndRadix() throws Exception {
        Path folder = Path.of(NetworkTableTest.class.getResource(TuningSource.NETWORK).toURI()).getParent();
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> tables =
                files.filter(file -> file.getFileName().toString().matches("network-.*\\.table")).toList();
            assertEquals(Stream.concat(Stream.of("default"), TuningSource.SHAPES.stream()).sorted().toList(),
                tables.stream().map(file -> file.getFileName().toString().replaceAll("network-|\\.table", "")).sorted()
                    .toList());
            for (Path file : tables) {
                for (TuningRule rule : TuningSource.file(MemorySpace.HOST, file).rules()) {
                    if (rule.isPredicted()) {
                        continue;
                    }
                    String line = file.getFileName() + ", line " + rule.line() + ": " + rule.algorithm();
                    Algorithm algorithm = Catalogue.find(rule.collective(), rule.algorithm());
                    assertNotNull(algorithm, line);
                    assertTrue(rule.chunkBytes() == 0 || algorithm.pipelined(), line);
                    assertTrue(rule.radix() == 0 || algorithm.radixed(), line);
                    assertTrue(algorithm.wireUse() != WireUse.ONE_NODE, () -> line + " reads memory of one node");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void rulesThatWereMeasuredInSharedMemoryDoNotDecideBetweenNodes(Collective collective) {
        for (int[] shape : new int[][] {{2, 1}, {4, 1}, {12, 1}, {2, 3}, {4, 16}, {64, 1}}) {
            SizeThresholds ladder = Selector.of(MemorySpace.HOST, NONE).ladder(collective, shape[0] * shape[1], true,
                Placement.ALIGNED, nodes(shape[0], shape[1]));
            for (int step = 0; step < ladder.steps(); step++) {
                assertTrue(ladder.choice(step).rule().contains(" of network-"), ladder.choice(step).rule());
            }
        }
    }

    @Test
    void aLongBroadcastAmongNodesGoesDownAPipeline() {
        Set<String> pipelines =
            Set.of("pipelined-chain", "topology-aware-chain", "opposite-chains", "double-tree", "hierarchical");
        for (int nodes : new int[] {3, 4, 12, 16}) {
            for (long bytes = 1 << 20; bytes <= 1 << 28; bytes *= 4) {
                String chosen = choice(Collective.BCAST, nodes, 1, SLOW, bytes).algorithm().name();
                assertTrue(pipelines.contains(chosen), nodes + " nodes, " + bytes + ": " + chosen);
            }
        }
    }

    @Test
    void theSpeedOfTheNetworkIsWhatEquationsGoBy() {
        NetworkSpeed fast = new NetworkSpeed(2_000, 100_000_000_000L, 1, "a test");
        Choice slowly = choice(Collective.REDUCE, 8, 1, SLOW, 64 << 20);
        Choice fastly = choice(Collective.REDUCE, 8, 1, fast, 64 << 20);
        assertTrue(fastly.chunkBytes() > slowly.chunkBytes(), slowly + " and " + fastly);
        assertTrue(fastly.rule().endsWith("by the equations for 100 Gbit/s, 2 us a message (a test)"), fastly.rule());
        assertTrue(choice(Collective.REDUCE, 8, 1, null, 64 << 20).rule().endsWith(
            "by the equations for 1 Gbit/s, 30 us a message (assumed by network-default.table)"));
    }

    @Test
    void whatTuneMeasuredOnTheClusterGoesBeforeWhatAdaptersSay() {
        TuningTable tuned = TuningTable.parse("cluster", "latency 50000\nbandwidth 0.025\nbcast nodes 8 direct\n");
        Selector selector = Selector.of(TuningSource.load(NONE), tuned, NONE);
        CommunicatorTopology wires = nodes(8, 1).at(new NetworkSpeed(2_000, 100_000_000_000L, 1, "adapters"));
        SizeThresholds reduce = selector.ladder(Collective.REDUCE, 8, true, Placement.ALIGNED, wires);
        String rule = reduce.choice(reduce.step(64 << 20)).rule();
        assertTrue(rule.endsWith("for 200 Mbit/s, 50 us a message (measured by brigade tune --nodes, cluster)"), rule);
        SizeThresholds bcast = selector.ladder(Collective.BCAST, 8, true, Placement.ALIGNED, wires);
        assertTrue(bcast.choice(0).rule().startsWith("line 3 of cluster: "), bcast.choice(0).rule());
    }

    /** What the equations choose is what they say is fastest, among all that may run with the model's window. */
    @Property(tries = 60)
    void nothingIsPredictedToBeFasterThanWhatIsChosen(@ForAll @IntRange(min = 2, max = 40) int nodes,
        @ForAll @IntRange(min = 12, max = 28) int shift, @ForAll @LongRange(min = 1_000, max = 100_000) long nanos,
        @ForAll @LongRange(min = 100_000_000L, max = 200_000_000_000L) long rate) {
        long bytes = 1L << shift;
        CommunicatorTopology wires = nodes(nodes, 1).at(new NetworkSpeed(nanos, rate, 1, "a test"));
        CostModel costs = CostModel.between(wires.speed(), nodes);
        for (Collective collective : List.of(Collective.BCAST, Collective.REDUCE, Collective.ALLREDUCE)) {
            SizeThresholds ladder =
                Selector.of(MemorySpace.HOST, NONE).ladder(collective, nodes, true, Placement.ALIGNED, wires);
            Choice chosen = ladder.choice(ladder.step(bytes));
            if (!chosen.rule().contains("equations")) {
                continue;
            }
            double cost = chosen.algorithm().cost(costs,
                new PredictedCall(nodes, wires, bytes, chosen.chunkBytes(), chosen.radix(), 0));
            for (Algorithm other : Catalogue.of(collective)) {
                if (other instanceof ScheduledAlgorithm && other.wireUse() != WireUse.NETWORK
                    && other.wireUse().pointless(wires) == null
                    && other.restrictions().violatedBy(nodes, bytes, true) == null) {
                    long chunk = other.pipelined() ? costs.bestChunk(other.hops(nodes, wires), bytes) : 0;
                    double its = other.cost(costs, new PredictedCall(nodes, wires, bytes, chunk, 2, 0));
                    assertTrue(!(its < cost), () -> other + " " + its + " ns, chosen " + chosen + " " + cost);
                }
            }
        }
    }

    /** Of one selector and one communicator's wires, as several threads of a rank first use them. */
    @RepeatedTest(5)
    void threadsThatAskFirstAtTheSameTimeAreToldTheSame() throws Exception {
        Selector selector = Selector.of(MemorySpace.HOST, NONE);
        CommunicatorTopology wires = nodes(6, 2).at(SLOW);
        CyclicBarrier together = new CyclicBarrier(8);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<String>> told = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                told.add(threads.submit(() -> {
                    together.await();
                    StringBuilder all = new StringBuilder();
                    for (Collective collective : List.of(Collective.BCAST, Collective.REDUCE, Collective.ALLGATHER)) {
                        SizeThresholds ladder =
                            selector.ladder(collective, 12, true, Placement.ALIGNED, wires);
                        for (int shift = 0; shift < 28; shift += 3) {
                            all.append(ladder.choice(ladder.step(1L << shift))).append('\n');
                        }
                    }
                    return all.toString();
                }));
            }
            String first = told.get(0).get();
            assertTrue(first.contains("by the equations for 200 Mbit/s"), first);
            for (Future<String> other : told) {
                assertEquals(first, other.get());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aFileThatTheUserNamesDecidesBetweenNodesToo() throws Exception {
        Path file = Files.createTempFile("named", ".table");
        try {
            Files.writeString(file, "bcast chain\n");
            Properties properties = new Properties();
            properties.setProperty("brigade.tuning", file.toString());
            SizeThresholds ladder =
                Selector.of(MemorySpace.HOST, new Settings(properties, Map.of())).ladder(Collective.BCAST, 4,
                    true, Placement.ALIGNED, nodes(4, 1));
            assertEquals("chain", ladder.choice(0).algorithm().name());
        } finally {
            Files.delete(file);
        }
    }
}

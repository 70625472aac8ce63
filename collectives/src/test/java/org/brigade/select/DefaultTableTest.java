package org.brigade.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Properties;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The table in the jar against the whole catalogue. */
@Tag("calculation")
class DefaultTableTest {
    private static final long[] SIZES =
        {0, 1, 8, 48, 49, 1000, 8 << 10, 64 << 10, (64 << 10) + 1, 1 << 20, 64 << 20, 1L << 40};

    private static Selector selector(String... forced) {
        Properties properties = new Properties();
        for (int i = 0; i < forced.length; i += 2) {
            properties.setProperty(forced[i], forced[i + 1]);
        }
        Settings settings = new Settings(properties, Map.of());
        return new Selector(Catalogue::of, TuningSource.load(settings), settings);
    }

    @Test
    void everyRuleNamesAnAlgorithmOfTheCatalogue() {
        for (TuningRule rule : selector().table().rules()) {
            assertNotNull(Catalogue.find(rule.collective(), rule.algorithm()),
                () -> "line " + rule.line() + ": " + rule.algorithm() + " is no algorithm of "
                    + rule.collective().key());
        }
    }

    @ParameterizedTest
    @EnumSource
    void thereIsAlwaysAnAlgorithmThatMayRun(Collective collective) {
        for (int ranks = 1; ranks <= 64; ranks++) {
            for (boolean commutative : new boolean[] {true, false}) {
                SizeThresholds ladder = selector().ladder(collective, ranks, commutative);
                for (long bytes : SIZES) {
                    Choice choice = ladder.choice(ladder.step(bytes));
                    assertTrue(choice.served());
                    assertNull(choice.algorithm().restrictions().violatedBy(ranks, bytes, commutative),
                        collective.key() + " on " + ranks + " ranks, " + bytes + " bytes: "
                            + choice.algorithm().name());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ALLTOALLV", "GATHERV", "SCATTERV"})
    void whereCountsAreLocalRanksAloneDecide(Collective collective) {
        for (int ranks = 1; ranks <= 64; ranks++) {
            assertEquals(1, selector().ladder(collective, ranks, true).steps(),
                "ranks could choose differently by their own counts");
        }
    }

    @Test
    void everyAlgorithmSaysWhatItCosts() {
        CostModel model = new CostModel(250, 12);
        for (Algorithm algorithm : Catalogue.all()) {
            double cost = algorithm.cost(model, new PredictedCall(5, 4096, 1024, 4));
            assertTrue(cost > 0 && cost < 1e9,
                () -> algorithm.collective().key() + " " + algorithm.name() + ": " + cost);
        }
    }

    @Test
    void everyAlgorithmCanBeForced() {
        for (Algorithm algorithm : Catalogue.all()) {
            SizeThresholds ladder =
                selector("brigade." + algorithm.collective().key() + ".algorithm", algorithm.name()).ladder(
                    algorithm.collective(), Math.min(4, algorithm.restrictions().maximumRanks()), true,
                    Placement.ALIGNED,
                    CommunicatorTopology.NONE.reducing(new int[] {0, 0, 1, 1}, 1));
            assertEquals(algorithm, ladder.choice(ladder.step(8)).algorithm());
        }
    }

    /** Whoever forces it: a network may be lost, and all later calls have to go on. */
    @Test
    void withoutANetworkThatReducesTheTableDecides() {
        SizeThresholds forced =
            selector("brigade.allreduce.algorithm", "in-network").ladder(Collective.ALLREDUCE, 4, true);
        SizeThresholds table = selector().ladder(Collective.ALLREDUCE, 4, true);
        for (long bytes : new long[] {8, 32 << 10, 1 << 24}) {
            assertEquals(table.choice(table.step(bytes)).algorithm(), forced.choice(forced.step(bytes)).algorithm());
        }
    }

    @Test
    void betweenNodesThatANetworkReducesBetweenItTakesWhatIsNotShort() {
        SizeThresholds ladder = selector().ladder(Collective.ALLREDUCE, 4, true, Placement.ALIGNED,
            CommunicatorTopology.ofNodes(null, new int[] {0, 0, 1, 1}).reducing(new int[] {0, 0, 1, 1}, 1));
        assertEquals("in-network", ladder.choice(ladder.step(1 << 20)).algorithm().name());
        assertEquals("leader-doubling", ladder.choice(ladder.step(8)).algorithm().name());
        SizeThresholds ordered = selector().ladder(Collective.ALLREDUCE, 4, false, Placement.ALIGNED,
            CommunicatorTopology.ofNodes(null, new int[] {0, 0, 1, 1}).reducing(new int[] {0, 0, 1, 1}, 1));
        assertNotEquals("in-network", ordered.choice(ordered.step(1 << 20)).algorithm().name());
    }

    /**
     * What is short crosses between nodes once a leader and round; ranks that are all on different nodes, or on one,
     * have no leaders.
     */
    @ParameterizedTest
    @CsvSource({"BARRIER,leader-dissemination,pull", "ALLREDUCE,leader-doubling,pull",
        "BCAST,hierarchical-tree,fused-flat"})
    void whereNodesHaveSeveralRanksTheirLeadersSpeakForThem(Collective collective, String between, String within) {
        assertEquals(between,
            shortest(collective, CommunicatorTopology.ofNodes(null, new int[] {0, 0, 1, 1, 2, 2, 3, 3})));
        assertEquals(within, shortest(collective, CommunicatorTopology.NONE));
        assertNotEquals(between,
            shortest(collective, CommunicatorTopology.ofNodes(null, new int[] {0, 1, 2, 3, 4, 5, 6, 7})));
    }

    private static String shortest(Collective collective, CommunicatorTopology wires) {
        return selector().ladder(collective, 8, true, Placement.ALIGNED, wires).choice(0).algorithm().name();
    }

    @Test
    void anExplanationSaysWhatRunsWhyWhatElseAndWhatNot() {
        String text = Explanation.of(selector(), Collective.BCAST, 16, 1 << 20, true);
        assertTrue(text.startsWith("bcast, 16 ranks on 1 node, host memory, 1 MiB: copy-in-copy-out"), text);
        assertTrue(text.contains("of shm-default.table: ranks 9..64"), text);
        assertTrue(text.contains("(predicted "), text);
        assertTrue(text.contains("fused-flat (serves at most 4096 bytes)"), text);
        assertTrue(text.contains("force it: -Dbrigade.bcast.algorithm=copy-in-copy-out"), text);
        String ordered = Explanation.of(selector(), Collective.ALLREDUCE, 6, 1 << 20, false);
        assertTrue(ordered.contains("non-commutative operation: "), ordered);
        assertTrue(ordered.contains(" (needs a commutative operation)"), ordered);
        assertFalse(ordered.contains("NaN"), ordered);
    }

    private static double cost(CostModel model, Collective collective, String algorithm, int ranks, long bytes,
        long chunk, int radix) {
        return cost(model, collective, algorithm, ranks, bytes, chunk, radix, CommunicatorTopology.NONE);
    }

    private static double cost(CostModel model, Collective collective, String algorithm, int ranks, long bytes,
        long chunk, int radix, CommunicatorTopology wires) {
        return Catalogue.find(collective, algorithm).cost(model,
            new PredictedCall(ranks, wires, bytes, chunk, radix, 0));
    }

    @Test
    void theModelFollowsTheEquationsOfThePaper() {
        CostModel model = new CostModel(1000, 1);
        assertEquals(7 * 2000, cost(model, Collective.BCAST, "direct", 8, 1000, 0, 2), 1e-6, "(n - 1)(ts + M/B)");
        assertEquals(3 * 2000, cost(model, Collective.BCAST, "binomial", 8, 1000, 0, 2), 1e-6, "log2 n (ts + M/B)");
        assertEquals(10 * 1000 + 2 * 7 / 8.0 * 1000, cost(model, Collective.BCAST, "scatter-allgather", 8, 1000, 0, 2),
            1e-6,
            "(log2 n + n - 1) ts + 2 (n - 1)/n M/B");
        assertEquals((10 + 6) * 1100, cost(model, Collective.BCAST, "pipelined-chain", 8, 1000, 100, 2), 1e-6,
            "(M/C + n - 2)(ts + C/B)");
    }

    /** Held against all powers of two that a window may be. */
    @Test
    void theModelsWindowIsNearTheBest() {
        CostModel model = new CostModel(2000, 6.8);
        for (int ranks = 2; ranks <= 128; ranks *= 2) {
            for (long bytes = 1 << 10; bytes <= 1 << 30; bytes *= 4) {
                long chosen =
                    model.bestChunk(
                        Catalogue.find(Collective.BCAST, "pipelined-chain").hops(ranks, CommunicatorTopology.NONE),
                        bytes);
                double cost = cost(model, Collective.BCAST, "pipelined-chain", ranks, bytes, chosen, 2);
                double best = Double.POSITIVE_INFINITY;
                for (long chunk = 4 << 10; chunk <= 4 << 20; chunk *= 2) {
                    best = Math.min(best, cost(model, Collective.BCAST, "pipelined-chain", ranks, bytes, chunk, 2));
                }
                assertTrue(cost <= 1.06 * best,
                    ranks + " ranks, " + bytes + " bytes: chunk " + chosen + " costs " + cost + ", the best " + best);
            }
        }
        assertEquals(128 << 10,
            model.bestChunk(Catalogue.find(Collective.BCAST, "pipelined-chain").hops(64, CommunicatorTopology.NONE),
                64 << 20),
            "sqrt(64 MiB x 2 us x 6.8 GB/s / 62) = 121 KB");
        assertEquals(0,
            model.bestChunk(Catalogue.find(Collective.BCAST, "scatter-allgather").hops(64, CommunicatorTopology.NONE),
                64 << 20),
            "no pipeline");
    }

    @Test
    void theModelCountsTheHopsOfAHierarchy() {
        CostModel model = new CostModel(1000, 1);
        CommunicatorTopology wires =
            new CommunicatorTopology(null, new Levels(new int[][] {{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}}), null);
        assertEquals((2 * 3 + 2 + 9 * 2) * 1100,
            cost(model, Collective.BCAST, "hierarchical", 12, 1000, 100, 2, wires), 1e-6,
            "3 hops among nodes, where leaders send twice, 2 within; then two messages a window");
        assertEquals((3 + 2 + 2 * 3 + 2 + 9 * 3) * 1100,
            cost(model, Collective.ALLREDUCE, "hierarchical", 12, 1000, 100, 2, wires), 1e-6,
            "up and down; leaders send three times");
        assertEquals((2 * 3 + 2 + 2 + 4 * 4) * 1100,
            cost(model, Collective.BCAST, "multi-leader", 12, 1000, 100, 2, wires), 1e-6,
            "five windows of two slices, of which the second waits for the first in two groups");
        assertEquals((2 * 2 + 2 + 9 * 4) * 1100,
            cost(model, Collective.BCAST, "hierarchical-tree", 12, 1000, 100, 2, wires), 1e-6,
            "log2 4 rounds, where leaders send twice, then log2 3");
        assertEquals(cost(model, Collective.BCAST, "pipelined-chain", 12, 1000, 100, 2),
            cost(model, Collective.BCAST, "hierarchical", 12, 1000, 100, 2), 1e-6,
            "without levels a chain");
    }

    @Test
    void largeBroadcastsTakeTheBestChainWhereOneIsKnown() {
        assertEquals("copy-in-copy-out", bcast(CommunicatorTopology.NONE));
        assertEquals("topology-aware-chain", bcast(new CommunicatorTopology(null, Levels.NONE, root -> null)));
        assertEquals("copy-in-copy-out",
            bcast(new CommunicatorTopology(null,
                new Levels(new int[][] {{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}}), null)),
            "nobody has measured hierarchies here");
    }

    private static String bcast(CommunicatorTopology wires) {
        SizeThresholds ladder = selector().ladder(Collective.BCAST, 16, true, Placement.ALIGNED, wires);
        return ladder.choice(ladder.step(16 << 20)).algorithm().name();
    }
}

package org.brigade.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Properties;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.Catalogue;
import org.brigade.schedule.Collective;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table in the jar against the whole catalogue. */
class DefaultTableTest {
    private static final long[] SIZES = {0, 1, 8, 48, 49, 1000, 8 << 10, 64 << 10, (64 << 10) + 1, 1 << 20, 64 << 20, 1L << 40};

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
                () -> "line " + rule.line() + ": " + rule.algorithm() + " is no algorithm of " + rule.collective().key());
        }
    }

    @ParameterizedTest
    @EnumSource
    void thereIsAlwaysAnAlgorithmThatMayRun(Collective collective) {
        for (int ranks = 1; ranks <= 64; ranks++) {
            for (boolean commutative : new boolean[] {true, false}) {
                Ladder ladder = selector().ladder(collective, ranks, commutative);
                for (long bytes : SIZES) {
                    Choice choice = ladder.choice(ladder.step(bytes));
                    assertTrue(choice.served());
                    assertNull(choice.algorithm().restrictions().violatedBy(ranks, bytes, commutative),
                        collective.key() + " on " + ranks + " ranks, " + bytes + " bytes: " + choice.algorithm().name());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ALLTOALLV", "GATHERV", "SCATTERV"})
    void whereCountsAreLocalRanksAloneDecide(Collective collective) {
        for (int ranks = 1; ranks <= 64; ranks++) {
            assertEquals(1, selector().ladder(collective, ranks, true).steps(), "ranks could choose differently by their own counts");
        }
    }

    @Test
    void theCostModelKnowsEveryAlgorithm() {
        CostModel model = new CostModel(250, 12);
        for (Algorithm algorithm : Catalogue.all()) {
            double cost = model.nanoseconds(algorithm.collective(), algorithm.name(), 5, 4096, 1024, 4);
            assertTrue(cost > 0 && cost < 1e9, () -> algorithm.collective().key() + " " + algorithm.name() + ": " + cost);
        }
    }

    @Test
    void everyAlgorithmCanBeForced() {
        for (Algorithm algorithm : Catalogue.all()) {
            Ladder ladder = selector("brigade." + algorithm.collective().key() + ".algorithm", algorithm.name()).ladder(algorithm.collective(), 4, true);
            assertEquals(algorithm, ladder.choice(ladder.step(8)).algorithm());
        }
    }

    @Test
    void anExplanationSaysWhatRunsWhyWhatElseAndWhatNot() {
        String text = Explanation.of(selector(), Collective.BCAST, 16, 1 << 20, true);
        assertTrue(text.startsWith("bcast, 16 ranks on 1 node, host memory, 1 MiB: scatter-allgather"), text);
        assertTrue(text.contains("of shm-default.table: ranks 1.., bytes "), text);
        assertTrue(text.contains("(predicted "), text);
        assertTrue(text.contains("fused-flat (serves at most 8 ranks)"), text);
        assertTrue(text.contains("force it: -Dbrigade.bcast.algorithm=scatter-allgather"), text);
        String ordered = Explanation.of(selector(), Collective.ALLREDUCE, 6, 1 << 20, false);
        assertTrue(ordered.contains("non-commutative operation: "), ordered);
        assertTrue(ordered.contains("ring (needs a commutative operation)"), ordered);
        assertFalse(ordered.contains("NaN"), ordered);
    }

    @Test
    void theModelFollowsTheEquationsOfThePaper() {
        CostModel model = new CostModel(1000, 1);
        assertEquals(7 * 2000, model.nanoseconds(Collective.BCAST, "direct", 8, 1000, 0, 2), 1e-6, "(n - 1)(ts + M/B)");
        assertEquals(3 * 2000, model.nanoseconds(Collective.BCAST, "binomial", 8, 1000, 0, 2), 1e-6, "log2 n (ts + M/B)");
        assertEquals(10 * 1000 + 2 * 7 / 8.0 * 1000, model.nanoseconds(Collective.BCAST, "scatter-allgather", 8, 1000, 0, 2), 1e-6,
            "(log2 n + n - 1) ts + 2 (n - 1)/n M/B");
        assertEquals((10 + 6) * 1100, model.nanoseconds(Collective.BCAST, "pipelined-chain", 8, 1000, 100, 2), 1e-6, "(M/C + n - 2)(ts + C/B)");
    }
}

package org.brigade.verify.straight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The straight-line code of the catalogue, run for all ranks on symbolic memory. */
@Timeout(600)
class StraightSuiteTest {
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17, 24})
    void allStraightLineCodeIsVerified(int ranks) throws InterruptedException {
        StraightSuite suite = new StraightSuite(ranks, ranks, null, null);
        assertTrue(suite.parts() >= 20, suite.parts() + " algorithms");
        StraightSuite.Report report = suite.run(null);
        assertEquals(List.of(), report.failures());
        assertTrue(report.verified() >= 2 * suite.parts(), report.summary());
    }

    /** What several algorithms leave in one buffer, or on one board, does not disturb the next call. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7})
    void algorithmsShareOneBuffer(int ranks) {
        for (StraightRun run : SampleRuns.mixed(ranks)) {
            for (int seed = 0; seed < 6; seed++) {
                assertNull(StraightSuite.faultOf(run, Orders.random(seed)), run + ", order " + seed);
            }
        }
    }

    @Test
    void aRunDependsOnItsOrderAlone() {
        Orders.All all = new Orders.All();
        int orders = 0;
        int[] ready = {0, 1};
        do {
            for (int step = 0; step < 5; step++) {
                all.choose(0, ready, 2);
            }
            orders++;
        } while (all.next());
        assertEquals(32, orders);
    }
}

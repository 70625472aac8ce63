package org.brigade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import mpi.spi.Collective;
import mpi.spi.Counts;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.simulate.CodeSimulator;
import org.brigade.simulate.wiring.IdealWiring;
import org.brigade.verify.straight.CodeRecorder;
import org.brigade.verify.straight.StraightSuite;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What {@code explain} predicts for straight-line code is within a factor of the simulated time of its own operations,
 * in memory as the equations have it. {@code EquationsBesideSimulatorTest} does the same for schedules.
 */
@Tag("calculation")
class CodeEquationsTest {
    private static final double FACTOR = 1.5;
    private static final double STARTUP = 2e-6;
    private static final double RATE = 6.8e9;
    private static final CostModel MODEL = new CostModel(STARTUP * 1e9, RATE / 1e9);
    private static final int[] RANKS = {2, 3, 4, 5, 8, 16, 17, 32};
    private static final long[] SIZES = {8, 512, 4 << 10, 32 << 10, 1 << 20, 8 << 20};
    /** Beyond it, runs take long. */
    private static final long MOST_BYTES = 64 << 20;

    @Test
    void everyEquationIsNearTheOperations() {
        List<String> wrong = new ArrayList<>();
        int compared = 0;
        for (Algorithm algorithm : Catalogue.all()) {
            for (int ranks : StraightSuite.isVerified(algorithm) ? RANKS : new int[0]) {
                Collective collective = algorithm.collective();
                for (long bytes : SIZES) {
                    if (algorithm.restrictions().violatedBy(ranks, bytes, true) != null
                        || collective.counts == Counts.SHARED && bytes < 8L * ranks
                        || collective.counts != Counts.VECTOR && bytes * ranks > MOST_BYTES) {
                        continue;
                    }
                    for (int root : collective.rooted ? new int[] {0, ranks / 2} : new int[] {0}) {
                        double ratio = algorithm.cost(MODEL, new PredictedCall(ranks, bytes, 0, 2)) / 1e9
                            / CodeSimulator.run(new IdealWiring(ranks, RATE, STARTUP),
                                CodeRecorder.of(algorithm, ranks, root, bytes), null).seconds();
                        compared++;
                        if (!(ratio < FACTOR + 1e-6 && ratio > 1 / FACTOR - 1e-6)) {
                            wrong.add(String.format(Locale.ROOT, "%s %.2f: %d ranks, root %d, %d bytes", algorithm,
                                ratio, ranks, root, bytes));
                        }
                    }
                }
            }
        }
        assertEquals(List.of(), wrong, "predicted over simulated");
        assertTrue(compared > 200, compared + " calls");
    }
}

package org.brigade.verify.straight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.engine.ShortMessages;
import org.brigade.engine.node.SharedAccess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Straight-line code of which one operation is done wrong: the verifier must find it, whichever that is. */
@Timeout(600)
class StraightMutationTest {
    private static final int MOST_RANKS = 3;
    private static final int SEEDS = 6;

    /** Stands between one rank's code and the others. */
    private abstract static class Broken implements StraightRun.Faults {
        final int rank;
        BooleanSupplier happened;

        Broken(int rank) {
            this.rank = rank;
        }
    }

    private interface Breaking {
        Broken at(int rank, int number, int itemBytes);
    }

    @ParameterizedTest
    @EnumSource(FaultyAccess.Fault.class)
    void everyFaultInMemoryIsFound(FaultyAccess.Fault fault) {
        everyFaultIsFound((rank, number, itemBytes) -> new Broken(rank) {
            @Override
            public SharedAccess access(SharedAccess access, int which) {
                if (which != rank) {
                    return access;
                }
                FaultyAccess made = new FaultyAccess(access, fault, number, itemBytes);
                happened = made::happened;
                return made;
            }
        });
    }

    @ParameterizedTest
    @EnumSource(FaultyMessages.Fault.class)
    void everyFaultOfAMessageIsFound(FaultyMessages.Fault fault) {
        everyFaultIsFound((rank, number, itemBytes) -> new Broken(rank) {
            @Override
            public ShortMessages messages(ShortMessages messages, int which) {
                if (which != rank) {
                    return messages;
                }
                FaultyMessages made = new FaultyMessages(messages, fault, number, itemBytes);
                happened = made::happened;
                return made;
            }
        });
    }

    /** The rank reduces in another order than the others. */
    @Test
    void anotherOrderOfOperandsIsFound() {
        int tried = 0;
        for (Algorithm algorithm : Catalogue.all()) {
            boolean ordered = algorithm.collective().reduces && !algorithm.restrictions().commutative();
            int ranks = ranks(algorithm);
            for (int rank = 0; rank < ranks && ordered && StraightSuite.isVerified(algorithm); rank++) {
                int which = rank;
                StraightRun run = SampleRuns.full(algorithm, ranks);
                String fault = StraightSuite.faultOf(run, Orders.random(0), new StraightRun.Faults() {
                    @Override
                    public boolean swapsOperands(int swapping) {
                        return swapping == which;
                    }
                });
                assertEquals(reduces(algorithm.collective(), which), fault != null, algorithm + ", rank " + which);
                tried++;
            }
        }
        assertTrue(tried >= 4 * MOST_RANKS, tried + " faults");
    }

    /** Whether this rank combines anything: the root of a reduce alone does, and in a scan those behind others. */
    private static boolean reduces(Collective collective, int rank) {
        return switch (collective) {
            case REDUCE -> rank == 0;
            case SCAN -> rank > 0;
            case EXSCAN -> rank > 1;
            default -> true;
        };
    }

    /** Scans of two ranks serve no more. */
    private static int ranks(Algorithm algorithm) {
        return Math.min(MOST_RANKS, algorithm.restrictions().maximumRanks());
    }

    private static void everyFaultIsFound(Breaking breaking) {
        List<String> missed = new ArrayList<>();
        int tried = 0;
        for (Algorithm algorithm : Catalogue.all()) {
            if (!StraightSuite.isVerified(algorithm)) {
                continue;
            }
            int ranks = ranks(algorithm);
            StraightRun run = SampleRuns.full(algorithm, ranks);
            assertNull(StraightSuite.faultOf(run, Orders.random(0)), () -> algorithm + " without a fault");
            for (int rank = 0; rank < ranks; rank++) {
                boolean more = true;
                for (int number = 0; more; number++) {
                    boolean found = false;
                    for (int seed = 0; seed < SEEDS && more && !found; seed++) {
                        Broken broken = breaking.at(rank, number, run.granule());
                        found = StraightSuite.faultOf(run, Orders.random(seed), broken) != null;
                        more = found || broken.happened.getAsBoolean();
                    }
                    tried += more ? 1 : 0;
                    if (more && !found) {
                        missed.add(algorithm + ": number " + number + " of rank " + rank);
                    }
                }
            }
        }
        assertEquals(List.of(), missed, "faults that were not found, of " + tried);
        assertTrue(tried > 50, tried + " faults");
    }
}

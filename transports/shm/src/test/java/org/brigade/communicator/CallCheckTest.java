package org.brigade.communicator;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.brigade.communicator.CollectiveTrial.INT;
import static org.brigade.communicator.CollectiveTrial.SUM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.Reduction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** brigade.check: calls that do not match are an error on every rank, before any data moves. */
class CallCheckTest {
    private static final Reduction MAX = Reduction.predefined(Reduction.Operator.MAX);

    private interface Call {
        void make(Communicator comm);
    }

    /** The last rank makes another call than the others. */
    private static void odd(Jobs kind, String one, Call most, String two, Call last) throws Exception {
        for (int ranks = 2; ranks <= 4; ranks++) {
            ThreadJob.run(kind.endpoints(ranks, 1), true, (provider, world) -> {
                boolean isLast = world.rank() == world.size() - 1;
                for (int round = 0; round < 3; round++) {
                    MPIException thrown = assertThrows(MPIException.class, () -> (isLast ? last : most).make(world),
                        "rank " + world.rank());
                    assertEquals(ErrorClass.NOT_SAME.code, thrown.getErrorClass(), thrown.getMessage());
                    String mine = "this rank calls " + (isLast ? two : one);
                    String theirs =
                        (isLast ? "rank 0" : "rank " + (world.size() - 1)) + " calls " + (isLast ? one : two);
                    assertTrue(thrown.getMessage().contains(mine) && thrown.getMessage().contains(theirs),
                        thrown.getMessage());
                    for (Collective collective : Collective.values()) {
                        new CollectiveTrial(world, 0, 300, false, false, round == 0, false).run(collective);
                    }
                    most.make(world);
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void differentCollectives(Jobs kind) throws Exception {
        odd(kind, "bcast of 4000 bytes from root 0", comm -> calls(comm).bcast(new int[1000], 0, 1000, INT, 0, true),
            "barrier", comm -> calls(comm).barrier(true));
    }

    @Test
    void differentRoots() throws Exception {
        odd(Jobs.WIDE, "bcast of 8 bytes from root 0", comm -> calls(comm).bcast(new int[2], 0, 2, INT, 0, true),
            "bcast of 8 bytes from root 1",
            comm -> calls(comm).bcast(new int[2], 0, 2, INT, 1, true));
    }

    @Test
    void differentCounts() throws Exception {
        odd(Jobs.WIDE, "allreduce with SUM on INT of 8 bytes",
            comm -> calls(comm).allreduce(new int[2], 0, new int[2], 0, 2, INT, SUM, true),
            "allreduce with SUM on INT of 12 bytes",
            comm -> calls(comm).allreduce(new int[3], 0, new int[3], 0, 3, INT, SUM, true));
    }

    @Test
    void differentOperations() throws Exception {
        odd(Jobs.WIDE, "reduce with SUM on INT of 400000 bytes from root 0",
            comm -> calls(comm).reduce(new int[100_000], 0, new int[100_000], 0, 100_000, INT, SUM, 0, true),
            "reduce with MAX on INT of 400000 bytes from root 0",
            comm -> calls(comm).reduce(new int[100_000], 0, new int[100_000], 0, 100_000, INT, MAX, 0, true));
    }

    /**
     * Without the check the receivers notice a wrong length, and throw what comes of it away: the next call finds clean
     * links.
     */
    @Test
    void withoutTheCheckAWrongLengthIsAnErrorAndTheLinksStayClean() throws Exception {
        for (Jobs kind : new Jobs[] {Jobs.WIDE, Jobs.NARROW, Jobs.WILD}) {
            for (int count : new int[] {4, 12, 200, 20_000}) {
                ThreadJob.run(kind.endpoints(2, 3), (provider, world) -> {
                    for (int round = 0; round < 3; round++) {
                        int mine = world.rank() == 0 ? count + 1 : count;
                        if (world.rank() == 0) {
                            try {
                                calls(world).bcast(new int[mine], 0, mine, INT, 0, true);
                            } catch (MPIException heard) { // of the other's error, before all was sent
                                assertEquals(ErrorClass.TRUNCATE.code, heard.getErrorClass(), heard.getMessage());
                            }
                        } else {
                            MPIException thrown = assertThrows(MPIException.class,
                                () -> calls(world).bcast(new int[mine], 0, mine, INT, 0, true));
                            assertEquals(ErrorClass.TRUNCATE.code, thrown.getErrorClass(), thrown.getMessage());
                            assertTrue(thrown.getMessage().contains("rank 0 sent")
                                && thrown.getMessage().contains(" in MPI_COMM_WORLD: "), thrown.getMessage());
                        }
                        new CollectiveTrial(world, 0, count, false, false, true, false).run(Collective.ALLREDUCE);
                    }
                });
            }
        }
    }
}

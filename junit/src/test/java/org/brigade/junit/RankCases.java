package org.brigade.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What {@link MpiExtensionTest} runs. Most of it must fail, so it has no name that Surefire takes for a test. */
class RankCases {
    private int rank = -1;

    @BeforeEach
    void ask() throws MPIException {
        rank = MPI.COMM_WORLD.getRank(); // fails where there is no rank
    }

    @AfterEach
    void leave() throws MPIException {
        assertEquals(rank, MPI.COMM_WORLD.getRank());
    }

    @MpiTest(ranks = {1, 3})
    void passing(Intracomm world) throws MPIException {
        int[] sum = {rank};
        world.allReduce(sum, 1, MPI.INT, MPI.SUM);
        assertEquals(world.getSize() * (world.getSize() - 1) / 2, sum[0]);
        System.out.println("rank " + rank + " has the sum");
    }

    @MpiTest(ranks = 3)
    void failingOnOne(Intracomm world) throws MPIException {
        assertOnRankOne();
        world.barrier();
    }

    private void assertOnRankOne() {
        assertTrue(rank != 1, "this is rank 1");
    }

    @MpiTest(ranks = 3)
    void failingOnAll() {
        assertEquals("expected", "actual " + rank);
    }

    @MpiTest(ranks = 2, timeout = 6)
    void hanging(Intracomm world) throws MPIException {
        awaitForEver(world, 1 - rank);
    }

    private static void awaitForEver(Intracomm world, int from) throws MPIException {
        world.recv(new int[1], 1, MPI.INT, from, 7);
    }

    @MpiTest(ranks = 2)
    void awaitingOneThatHasEnded(Intracomm world) throws MPIException {
        if (rank == 1) {
            awaitForEver(world, 0);
        }
    }

    @MpiTest(ranks = 3)
    void dying(Intracomm world) throws Exception {
        if (rank == 2) {
            new ProcessBuilder("kill", "-KILL", "" + ProcessHandle.current().pid()).start().waitFor();
            Thread.sleep(60_000);
        }
        world.barrier();
    }

    @MpiTest(ranks = 2)
    void assuming() {
        assumeTrue(rank > 5, "there are six ranks");
    }

    @MpiTest(ranks = 0)
    void noRanks() {
    }

    @MpiTest(ranks = 2, options = {"--grace", "5", "-Danswer=42"})
    void withOptions() throws MPIException {
        assertEquals(42, Integer.getInteger("answer"));
    }
}

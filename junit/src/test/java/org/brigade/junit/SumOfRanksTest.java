package org.brigade.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** A test on several ranks, as docs/testing.md shows it. */
class SumOfRanksTest {
    @MpiTest(ranks = {1, 4})
    void everyRankGetsTheSum(Intracomm world) throws MPIException {
        int[] sum = {world.getRank()};
        world.allReduce(sum, 1, MPI.INT, MPI.SUM);
        assertEquals(world.getSize() * (world.getSize() - 1) / 2, sum[0]);
    }
}

package org.brigade.examples.patterns.camel;

import mpi.MPI;
import mpi.MPIException;

/** One value of each rank becomes one value: the sum at rank 0, and the greatest at all ranks. */
public final class Reductions {
    private static final int ROOT = 0;

    private Reductions() {
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        run();
        MPI.Finalize();
    }

    static void run() throws MPIException {
        int rank = MPI.COMM_WORLD.getRank();
        int[] square = {(rank + 1) * (rank + 1)};
        int[] sum = new int[1];
        int[] greatest = new int[1];
        MPI.COMM_WORLD.reduce(square, sum, 1, MPI.INT, MPI.SUM, ROOT);
        MPI.COMM_WORLD.allReduce(square, greatest, 1, MPI.INT, MPI.MAX);
        if (rank == ROOT) {
            System.out.println("Reductions: the sum is " + sum[0]);
        }
        System.out.println("Reductions: rank " + rank + " knows that " + greatest[0] + " is the greatest");
    }
}

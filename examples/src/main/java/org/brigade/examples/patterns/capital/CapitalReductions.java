package org.brigade.examples.patterns.capital;

import mpi.MPI;

/** One value of each rank becomes one value: the sum at rank 0, and the greatest at all ranks. */
public final class CapitalReductions {
    private static final int ROOT = 0;

    private CapitalReductions() {
    }

    public static void main(String[] args) {
        MPI.Init(args);
        run();
        MPI.Finalize();
    }

    static void run() {
        int rank = MPI.COMM_WORLD.Rank();
        int[] square = {(rank + 1) * (rank + 1)};
        int[] sum = new int[1];
        int[] greatest = new int[1];
        MPI.COMM_WORLD.Reduce(square, 0, sum, 0, 1, MPI.INT, MPI.SUM, ROOT);
        MPI.COMM_WORLD.Allreduce(square, 0, greatest, 0, 1, MPI.INT, MPI.MAX);
        if (rank == ROOT) {
            System.out.println("Reductions: the sum is " + sum[0]);
        }
        System.out.println("Reductions: rank " + rank + " knows that " + greatest[0] + " is the greatest");
    }
}

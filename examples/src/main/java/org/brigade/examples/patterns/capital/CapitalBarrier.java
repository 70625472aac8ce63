package org.brigade.examples.patterns.capital;

import mpi.MPI;

/** No rank leaves a barrier before the last one has come. The ranks run on one machine, whose clock they share. */
public final class CapitalBarrier {
    private CapitalBarrier() {
    }

    public static void main(String[] args) throws InterruptedException {
        MPI.Init(args);
        run();
        MPI.Finalize();
    }

    static void run() throws InterruptedException {
        int rank = MPI.COMM_WORLD.Rank();
        Thread.sleep(20 * rank);
        long[] came = {System.nanoTime()};
        MPI.COMM_WORLD.Barrier();
        long[] left = {System.nanoTime()};

        MPI.COMM_WORLD.Allreduce(came, 0, came, 0, 1, MPI.LONG, MPI.MAX);
        MPI.COMM_WORLD.Allreduce(left, 0, left, 0, 1, MPI.LONG, MPI.MIN);
        if (rank == 0) {
            System.out.println("Barrier: the first left after the last had come: " + (left[0] >= came[0]));
        }
    }
}

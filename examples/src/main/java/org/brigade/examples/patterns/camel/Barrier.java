package org.brigade.examples.patterns.camel;

import mpi.MPI;
import mpi.MPIException;

/** No rank leaves a barrier before the last one has come. The ranks run on one machine, whose clock they share. */
public final class Barrier {
    private Barrier() {
    }

    public static void main(String[] args) throws MPIException, InterruptedException {
        MPI.Init(args);
        run();
        MPI.Finalize();
    }

    static void run() throws MPIException, InterruptedException {
        int rank = MPI.COMM_WORLD.getRank();
        Thread.sleep(20 * rank);
        long[] came = {System.nanoTime()};
        MPI.COMM_WORLD.barrier();
        long[] left = {System.nanoTime()};

        MPI.COMM_WORLD.allReduce(came, 1, MPI.LONG, MPI.MAX);
        MPI.COMM_WORLD.allReduce(left, 1, MPI.LONG, MPI.MIN);
        if (rank == 0) {
            System.out.println("Barrier: the first left after the last had come: " + (left[0] >= came[0]));
        }
    }
}

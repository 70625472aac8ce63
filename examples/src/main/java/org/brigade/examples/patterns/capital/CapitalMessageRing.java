package org.brigade.examples.patterns.capital;

import mpi.MPI;

/** A message goes round all ranks; each adds its number. Rank 0 sends first and receives last. */
public final class CapitalMessageRing {
    private static final int TAG = 1;

    private CapitalMessageRing() {
    }

    public static void main(String[] args) {
        MPI.Init(args);
        run();
        MPI.Finalize();
    }

    static void run() {
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int next = (rank + 1) % size;
        int previous = (rank + size - 1) % size;
        int[] sum = {0};
        if (rank == 0) {
            MPI.COMM_WORLD.Send(sum, 0, 1, MPI.INT, next, TAG);
            MPI.COMM_WORLD.Recv(sum, 0, 1, MPI.INT, previous, TAG);
            System.out.println("MessageRing: back at rank 0 with " + sum[0]);
        } else {
            MPI.COMM_WORLD.Recv(sum, 0, 1, MPI.INT, previous, TAG);
            sum[0] += rank;
            MPI.COMM_WORLD.Send(sum, 0, 1, MPI.INT, next, TAG);
        }
    }
}

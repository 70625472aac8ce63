package org.brigade.examples.patterns.camel;

import mpi.MPI;
import mpi.MPIException;

/** A message goes round all ranks; each adds its number. Rank 0 sends first and receives last. */
public final class MessageRing {
    private static final int TAG = 1;

    private MessageRing() {
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        run();
        MPI.Finalize();
    }

    static void run() throws MPIException {
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        int next = (rank + 1) % size;
        int previous = (rank + size - 1) % size;
        int[] sum = {0};
        if (rank == 0) {
            MPI.COMM_WORLD.send(sum, 1, MPI.INT, next, TAG);
            MPI.COMM_WORLD.recv(sum, 1, MPI.INT, previous, TAG);
            System.out.println("MessageRing: back at rank 0 with " + sum[0]);
        } else {
            MPI.COMM_WORLD.recv(sum, 1, MPI.INT, previous, TAG);
            sum[0] += rank;
            MPI.COMM_WORLD.send(sum, 1, MPI.INT, next, TAG);
        }
    }
}

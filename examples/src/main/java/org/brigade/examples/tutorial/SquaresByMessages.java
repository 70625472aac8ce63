package org.brigade.examples.tutorial;

import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/** Messages of docs/tutorial.md: rank 0 gives each other rank a number and takes the squares as they come. */
public final class SquaresByMessages {
    // listing main
    private static final int TASK = 1;
    private static final int RESULT = 2;

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        int[] number = new int[1];
        if (rank == 0) {
            for (int worker = 1; worker < size; worker++) {
                number[0] = 10 + worker;
                MPI.COMM_WORLD.send(number, 1, MPI.INT, worker, TASK);
            }
            for (int i = 1; i < size; i++) {
                Status status = MPI.COMM_WORLD.recv(number, 1, MPI.INT, MPI.ANY_SOURCE, RESULT);
                System.out.println("rank " + status.getSource() + " answers " + number[0]);
            }
        } else {
            MPI.COMM_WORLD.recv(number, 1, MPI.INT, 0, TASK);
            number[0] *= number[0];
            MPI.COMM_WORLD.send(number, 1, MPI.INT, 0, RESULT);
        }
        MPI.Finalize();
    }
    // end

    private SquaresByMessages() {
    }
}

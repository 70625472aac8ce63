package org.brigade.examples.patterns.camel;

import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/**
 * A receive chooses messages by sender and tag: rank 0 takes the urgent ones first, from whoever sent one, although
 * each rank has sent its ordinary one before.
 */
public final class Tags {
    private static final int ORDINARY = 1;
    private static final int URGENT = 2;

    private Tags() {
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        run();
        MPI.Finalize();
    }

    static void run() throws MPIException {
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        int[] number = new int[1];
        if (rank != 0) {
            number[0] = rank;
            MPI.COMM_WORLD.send(number, 1, MPI.INT, 0, ORDINARY);
            number[0] = 100 * rank;
            MPI.COMM_WORLD.send(number, 1, MPI.INT, 0, URGENT);
            return;
        }
        for (int i = 1; i < size; i++) {
            Status status = MPI.COMM_WORLD.recv(number, 1, MPI.INT, MPI.ANY_SOURCE, URGENT);
            System.out.println("Tags: urgent " + number[0] + " of rank " + status.getSource());
        }
        for (int sender = 1; sender < size; sender++) {
            MPI.COMM_WORLD.recv(number, 1, MPI.INT, sender, ORDINARY);
            System.out.println("Tags: ordinary " + number[0] + " of rank " + sender);
        }
    }
}

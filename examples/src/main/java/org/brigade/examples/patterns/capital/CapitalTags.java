package org.brigade.examples.patterns.capital;

import mpi.MPI;
import mpi.Status;

/**
 * A receive chooses messages by sender and tag: rank 0 takes the urgent ones first, from whoever sent one, although
 * each rank has sent its ordinary one before.
 */
public final class CapitalTags {
    private static final int ORDINARY = 1;
    private static final int URGENT = 2;

    private CapitalTags() {
    }

    public static void main(String[] args) {
        MPI.Init(args);
        run();
        MPI.Finalize();
    }

    static void run() {
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int[] number = new int[1];
        if (rank != 0) {
            number[0] = rank;
            MPI.COMM_WORLD.Send(number, 0, 1, MPI.INT, 0, ORDINARY);
            number[0] = 100 * rank;
            MPI.COMM_WORLD.Send(number, 0, 1, MPI.INT, 0, URGENT);
            return;
        }
        for (int i = 1; i < size; i++) {
            Status status = MPI.COMM_WORLD.Recv(number, 0, 1, MPI.INT, MPI.ANY_SOURCE, URGENT);
            System.out.println("Tags: urgent " + number[0] + " of rank " + status.source);
        }
        for (int sender = 1; sender < size; sender++) {
            MPI.COMM_WORLD.Recv(number, 0, 1, MPI.INT, sender, ORDINARY);
            System.out.println("Tags: ordinary " + number[0] + " of rank " + sender);
        }
    }
}

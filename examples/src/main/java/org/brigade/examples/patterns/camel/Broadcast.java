package org.brigade.examples.patterns.camel;

import java.util.Arrays;
import mpi.MPI;
import mpi.MPIException;

/** One rank knows something that all need: all ranks call bcast and name that rank, the root. */
public final class Broadcast {
    private static final int ROOT = 0;

    private Broadcast() {
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        run();
        MPI.Finalize();
    }

    static void run() throws MPIException {
        int rank = MPI.COMM_WORLD.getRank();
        int[] settings = new int[3];
        if (rank == ROOT) {
            Arrays.setAll(settings, i -> 10 * i);
        }
        MPI.COMM_WORLD.bcast(settings, settings.length, MPI.INT, ROOT);
        System.out.println("Broadcast: rank " + rank + " has " + Arrays.toString(settings));
    }
}

package org.brigade.examples.patterns.capital;

import java.util.Arrays;
import mpi.MPI;

/** One rank knows something that all need: all ranks call Bcast and name that rank, the root. */
public final class CapitalBroadcast {
    private static final int ROOT = 0;

    private CapitalBroadcast() {
    }

    public static void main(String[] args) {
        MPI.Init(args);
        run();
        MPI.Finalize();
    }

    static void run() {
        int rank = MPI.COMM_WORLD.Rank();
        int[] settings = new int[3];
        if (rank == ROOT) {
            Arrays.setAll(settings, i -> 10 * i);
        }
        MPI.COMM_WORLD.Bcast(settings, 0, settings.length, MPI.INT, ROOT);
        System.out.println("Broadcast: rank " + rank + " has " + Arrays.toString(settings));
    }
}

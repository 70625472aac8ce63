package org.brigade.examples.patterns.capital;

import java.util.Arrays;
import mpi.MPI;

/** Rank 0 deals out an array in equal parts, each rank computes on its part, and rank 0 collects the parts in order. */
public final class CapitalScatterGather {
    private static final int EACH = 3;
    private static final int ROOT = 0;

    private CapitalScatterGather() {
    }

    public static void main(String[] args) {
        MPI.Init(args);
        run();
        MPI.Finalize();
    }

    static void run() {
        int rank = MPI.COMM_WORLD.Rank();
        double[] all = null;
        if (rank == ROOT) {
            all = new double[EACH * MPI.COMM_WORLD.Size()];
            Arrays.setAll(all, i -> i);
        }
        double[] part = new double[EACH];
        MPI.COMM_WORLD.Scatter(all, 0, EACH, MPI.DOUBLE, part, 0, EACH, MPI.DOUBLE, ROOT);
        Arrays.setAll(part, i -> part[i] * part[i]);
        MPI.COMM_WORLD.Gather(part, 0, EACH, MPI.DOUBLE, all, 0, EACH, MPI.DOUBLE, ROOT);
        if (rank == ROOT) {
            System.out.println("ScatterGather: " + Arrays.toString(all));
        }
    }
}

package org.brigade.examples.patterns.camel;

import java.util.Arrays;
import mpi.MPI;
import mpi.MPIException;

/** Rank 0 deals out an array in equal parts, each rank computes on its part, and rank 0 collects the parts in order. */
public final class ScatterGather {
    private static final int EACH = 3;
    private static final int ROOT = 0;

    private ScatterGather() {
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        run();
        MPI.Finalize();
    }

    static void run() throws MPIException {
        int rank = MPI.COMM_WORLD.getRank();
        double[] all = null;
        if (rank == ROOT) {
            all = new double[EACH * MPI.COMM_WORLD.getSize()];
            Arrays.setAll(all, i -> i);
        }
        double[] part = new double[EACH];
        MPI.COMM_WORLD.scatter(all, EACH, MPI.DOUBLE, part, EACH, MPI.DOUBLE, ROOT);
        Arrays.setAll(part, i -> part[i] * part[i]);
        MPI.COMM_WORLD.gather(part, EACH, MPI.DOUBLE, all, EACH, MPI.DOUBLE, ROOT);
        if (rank == ROOT) {
            System.out.println("ScatterGather: " + Arrays.toString(all));
        }
    }
}

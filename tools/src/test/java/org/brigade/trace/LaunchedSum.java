package org.brigade.trace;

import mpi.MPI;
import mpi.MPIException;

/** One short allreduce. */
public final class LaunchedSum {
    private LaunchedSum() {
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        MPI.COMM_WORLD.allReduce(new double[1], 1, MPI.DOUBLE, MPI.SUM);
        MPI.Finalize();
    }
}

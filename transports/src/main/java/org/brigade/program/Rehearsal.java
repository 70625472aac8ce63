package org.brigade.program;

import mpi.MPI;
import mpi.MPIException;

/**
 * A short program of 2 ranks that loads the classes which most programs load at their start. The commands run it once
 * for each JDK to make an archive of those classes (class data sharing), which later ranks map instead of loading and
 * verifying them.
 */
public final class Rehearsal {
    private Rehearsal() {
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        for (int count : new int[] {1, 128}) {
            double[] send = new double[count];
            double[] recv = new double[count];
            MPI.COMM_WORLD.bcast(send, count, MPI.DOUBLE, 0);
            MPI.COMM_WORLD.allReduce(send, recv, count, MPI.DOUBLE, MPI.SUM);
            if (rank == 0) {
                MPI.COMM_WORLD.send(send, count, MPI.DOUBLE, 1, 0);
            } else {
                MPI.COMM_WORLD.recv(recv, count, MPI.DOUBLE, 0, 0);
            }
            MPI.COMM_WORLD.barrier();
        }
        MPI.Finalize();
    }
}

package org.brigade.launch.processes;

import mpi.MPI;

/** Makes 30 short allreduces, a long one, and a long one that does not block. */
public final class ReportedProgram {
    private ReportedProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        double[] send = new double[1 << 17];
        double[] recv = new double[1 << 17];
        for (int call = 0; call < 30; call++) {
            MPI.COMM_WORLD.allReduce(send, recv, 4, MPI.DOUBLE, MPI.SUM);
        }
        MPI.COMM_WORLD.allReduce(send, recv, send.length, MPI.DOUBLE, MPI.SUM);
        MPI.COMM_WORLD.iAllReduce(send, recv, send.length, MPI.DOUBLE, MPI.SUM).waitFor();
        MPI.Finalize();
    }
}

package org.brigade.launch.processes;

import mpi.MPI;

/**
 * Makes 30 short allreduces, a long one, and a long one that does not block; then three alltoalls of 16 KiB outside the
 * heap, and three for which rank 1 has arrays.
 */
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
        int block = 16 << 10;
        int ranks = MPI.COMM_WORLD.getSize();
        for (int call = 0; call < 6; call++) {
            boolean array = call >= 3 && MPI.COMM_WORLD.getRank() == 1;
            Object from = array ? new byte[ranks * block] : MPI.newByteBuffer(ranks * block);
            Object to = array ? new byte[ranks * block] : MPI.newByteBuffer(ranks * block);
            MPI.COMM_WORLD.allToAll(from, block, MPI.BYTE, to, block, MPI.BYTE);
        }
        MPI.Finalize();
    }
}

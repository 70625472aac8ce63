package org.brigade.launch.processes;

import mpi.MPI;

/** Two ranks that wait for each other for ever: both in recv, or rank 1 in a barrier. */
public final class StuckProgram {
    private StuckProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        if (rank == 1 && arguments[0].equals("barrier")) {
            MPI.COMM_WORLD.barrier();
        } else {
            MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 1 - rank, 5);
        }
        MPI.Finalize();
    }
}

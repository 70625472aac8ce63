package org.brigade.launch.processes;

import mpi.Intercomm;
import mpi.MPI;

/** Two ranks that wait for each other for ever: both in recv, or rank 1 in a barrier; or two jobs that do. */
public final class StuckProgram {
    private StuckProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        if (arguments[0].equals("jobs")) {
            Intercomm parent = Intercomm.getParent();
            Intercomm other = !parent.isNull() ? parent
                : MPI.COMM_WORLD.spawn(StuckProgram.class.getName(), arguments, 1, MPI.INFO_NULL, 0, null);
            other.recv(new int[1], 1, MPI.INT, 0, parent.isNull() ? 5 : 6);
        }
        if (rank == 1 && arguments[0].equals("barrier")) {
            MPI.COMM_WORLD.barrier();
        } else {
            MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 1 - rank, 5);
        }
        MPI.Finalize();
    }
}

package org.brigade.cli.tune;

import mpi.MPI;
import mpi.MPIException;
import org.brigade.communicator.call.Diagnostics;

/** Rank 0, or with an argument every rank, prints which algorithm served a small bcast. */
public final class TunedProgram {
    private TunedProgram() {
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        MPI.COMM_WORLD.bcast(new byte[8], 8, MPI.BYTE, 0);
        if (MPI.COMM_WORLD.getRank() == 0 || arguments.length > 0) {
            System.out.println("served by " + Diagnostics.lastAlgorithm());
        }
        MPI.Finalize();
    }
}

package org.brigade.examples.patterns.camel;

import mpi.MPI;
import mpi.MPIException;

/** Single program, multiple data: all ranks run the same text, and the rank decides what each does. */
public final class Spmd {
    private Spmd() {
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        run();
        MPI.Finalize();
    }

    static void run() throws MPIException {
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        String role = rank == 0 ? "leads" : "follows";
        System.out.println("Spmd: rank " + rank + " of " + size + " " + role);
    }
}

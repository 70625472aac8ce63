package org.brigade.examples.patterns.capital;

import mpi.MPI;

/** Single program, multiple data: all ranks run the same text, and the rank decides what each does. */
public final class CapitalSpmd {
    private CapitalSpmd() {
    }

    public static void main(String[] args) {
        MPI.Init(args);
        run();
        MPI.Finalize();
    }

    static void run() {
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        String role = rank == 0 ? "leads" : "follows";
        System.out.println("Spmd: rank " + rank + " of " + size + " " + role);
    }
}

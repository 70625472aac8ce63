package org.brigade.examples.tutorial;

import mpi.MPI;
import mpi.MPIException;

/** The first program of docs/tutorial.md: every rank runs it, and knows which one it is. */
public final class HelloRanks {
    private HelloRanks() {
    }

    // listing main
    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        System.out.println("Hello from rank " + rank + " of " + size);
        MPI.Finalize();
    }
    // end
}

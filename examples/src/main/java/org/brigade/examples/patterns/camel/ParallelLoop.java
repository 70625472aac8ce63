package org.brigade.examples.patterns.camel;

import java.util.ArrayList;
import java.util.List;
import mpi.MPI;
import mpi.MPIException;

/**
 * A loop whose iterations the ranks share. Equal chunks are neighbours: good for arrays. Cyclic slices deal the
 * iterations out like cards: good where later iterations take longer.
 */
public final class ParallelLoop {
    private static final int ITERATIONS = 10;

    private ParallelLoop() {
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        run();
        MPI.Finalize();
    }

    static void run() throws MPIException {
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();

        List<Integer> chunk = new ArrayList<>();
        int end = (rank + 1) * ITERATIONS / size;
        for (int i = rank * ITERATIONS / size; i < end; i++) {
            chunk.add(i);
        }
        System.out.println("ParallelLoop: the chunk of rank " + rank + " is " + chunk);

        List<Integer> slices = new ArrayList<>();
        for (int i = rank; i < ITERATIONS; i += size) {
            slices.add(i);
        }
        System.out.println("ParallelLoop: the slices of rank " + rank + " are " + slices);
    }
}

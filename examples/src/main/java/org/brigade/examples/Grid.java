package org.brigade.examples;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * Split communicators: ranks in a grid two wide sum along their row and find the greatest in their column. Both
 * dialects.
 *
 * <p>
 * {@code mpjrun -np 6 -cp examples/target/classes org.brigade.examples.Grid}
 */
public final class Grid {
    private static final int WIDTH = 2;

    private Grid() {
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        Intracomm row = MPI.COMM_WORLD.split(rank / WIDTH, rank);
        Intracomm column = MPI.COMM_WORLD.Split(rank % WIDTH, rank);

        int[] sum = {rank};
        row.allReduce(sum, 1, MPI.INT, MPI.SUM);
        int[] greatest = new int[1];
        column.Allreduce(sum, 0, greatest, 0, 1, MPI.INT, MPI.MAX);

        int[] all = new int[2 * MPI.COMM_WORLD.getSize()];
        MPI.COMM_WORLD.gather(new int[] {sum[0], greatest[0]}, 2, MPI.INT, all, 2, MPI.INT, 0);
        if (rank == 0) {
            for (int i = 0; i < all.length / 2; i++) {
                System.out
                    .println("rank " + i + ": sum of its row " + all[2 * i] + ", greatest such sum " + all[2 * i + 1]);
            }
        }
        row.free();
        column.Free();
        MPI.Finalize();
    }
}

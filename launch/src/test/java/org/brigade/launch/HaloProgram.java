package org.brigade.launch;

import java.util.Arrays;
import mpi.CartComm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ShiftParms;

/**
 * A halo exchange in three dimensions, with ranks as they are and with reordered ranks. The arguments are the node of
 * each rank, as {@code 0,1,0,1}, and the grid, as {@code 2,2,1}. Rank 0 prints the bytes that each exchange sent
 * between nodes.
 */
public final class HaloProgram {
    private static final int COUNT = 1024;

    private HaloProgram() {
    }

    private static int[] numbers(String text) {
        return Arrays.stream(text.split(",")).mapToInt(Integer::parseInt).toArray();
    }

    private static long bytesBetweenNodes(int[] nodeOf, int[] dims, boolean reorder) throws MPIException {
        CartComm grid = MPI.COMM_WORLD.createCart(dims, new boolean[dims.length], reorder);
        int own = MPI.COMM_WORLD.getRank();
        int[] halo = new int[COUNT];
        Arrays.fill(halo, own);
        long[] bytes = {0};
        int[] came = new int[2 * dims.length * COUNT];
        Arrays.fill(came, MPI.PROC_NULL);
        grid.neighborAllGather(halo, COUNT, MPI.INT, came, COUNT, MPI.INT);
        for (int dimension = 0; dimension < dims.length; dimension++) {
            ShiftParms partners = grid.shift(dimension, 1);
            int[] from = {partners.getRankSource(), partners.getRankDest()};
            for (int side = 0; side < 2; side++) {
                int last = came[(2 * dimension + side + 1) * COUNT - 1];
                if ((last == MPI.PROC_NULL) != (from[side] == MPI.PROC_NULL)) {
                    throw new IllegalStateException("from " + from[side] + " came " + last);
                }
                bytes[0] += last != MPI.PROC_NULL && nodeOf[last] != nodeOf[own] ? (long) COUNT * Integer.BYTES : 0;
            }
        }
        grid.allReduce(bytes, 1, MPI.LONG, MPI.SUM);
        grid.free();
        return bytes[0];
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(new String[0]);
        int[] nodeOf = numbers(arguments[0]);
        int[] dims = numbers(arguments[1]);
        long before = bytesBetweenNodes(nodeOf, dims, false);
        long after = bytesBetweenNodes(nodeOf, dims, true);
        if (MPI.COMM_WORLD.getRank() == 0) {
            System.out.println("bytes between nodes: " + before + ", reordered: " + after);
        }
        MPI.Finalize();
    }
}

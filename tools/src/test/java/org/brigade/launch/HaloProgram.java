package org.brigade.launch;

import java.util.Arrays;
import mpi.CartComm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
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
        for (int dimension = 0; dimension < dims.length; dimension++) {
            for (int disp = -1; disp <= 1; disp += 2) {
                ShiftParms partners = grid.shift(dimension, disp);
                int[] came = new int[COUNT];
                Request sent = grid.Isend(halo, 0, COUNT, MPI.INT, partners.getRankDest(), dimension);
                grid.recv(came, COUNT, MPI.INT, partners.getRankSource(), dimension);
                sent.waitFor();
                boolean between = partners.getRankSource() != MPI.PROC_NULL && nodeOf[came[COUNT - 1]] != nodeOf[own];
                bytes[0] += between ? (long) COUNT * Integer.BYTES : 0;
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

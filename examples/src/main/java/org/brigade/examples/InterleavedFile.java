package org.brigade.examples;

import java.util.Arrays;
import mpi.Datatype;
import mpi.File;
import mpi.Info;
import mpi.MPI;
import mpi.MPIException;

/**
 * All ranks write blocks that lie between each other's: one call for each block, one call for all blocks, and one call
 * with aggregators that collect the blocks. Prints the median times.
 *
 * <p>
 * Run it with: mpjrun -np 8 InterleavedFile FILE [BLOCKS [BYTES]]
 */
public final class InterleavedFile {
    private static final int ROUNDS = 7;
    private static final String[] WAYS = {"writeAt for each block", "writeAll", "writeAll with collecting"};

    private InterleavedFile() {
    }

    public static void main(String[] arguments) throws MPIException {
        String[] own = MPI.Init(arguments);
        int blocks = own.length > 1 ? Integer.parseInt(own[1]) : 512;
        int bytes = own.length > 2 ? Integer.parseInt(own[2]) : 4096;
        int ranks = MPI.COMM_WORLD.getSize();
        byte[] data = new byte[blocks * bytes];
        Arrays.fill(data, (byte) (MPI.COMM_WORLD.getRank() + 1));
        double[][] seconds = new double[WAYS.length][ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            for (int way = 0; way < WAYS.length; way++) {
                seconds[way][round] = write(own[0], way, data, bytes);
            }
        }
        for (int way = 0; way < WAYS.length && MPI.COMM_WORLD.getRank() == 0; way++) {
            Arrays.sort(seconds[way]);
            System.out.printf("%-26s %8.1f ms  %6.2f of the first%n", WAYS[way], 1e3 * seconds[way][ROUNDS / 2],
                seconds[way][ROUNDS / 2] / seconds[0][ROUNDS / 2]);
        }
        if (MPI.COMM_WORLD.getRank() == 0) {
            System.out.println(ranks + " ranks wrote " + blocks + " blocks of " + bytes + " bytes each");
        }
        MPI.Finalize();
    }

    private static double write(String name, int way, byte[] data, int bytes) throws MPIException {
        int rank = MPI.COMM_WORLD.getRank();
        int ranks = MPI.COMM_WORLD.getSize();
        Info hints = new Info();
        hints.set("collective_buffering", way == 2 ? "true" : "false");
        int mode = MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE;
        File file = new File(MPI.COMM_WORLD, name, mode, hints);
        Datatype block = Datatype.createContiguous(bytes, MPI.BYTE);
        Datatype mine = Datatype.createResized(block, 0, ranks * bytes);
        mine.commit();
        file.setView((long) rank * bytes, MPI.BYTE, mine, "native");
        MPI.COMM_WORLD.barrier();
        double begin = MPI.wtime();
        if (way == 0) {
            for (int at = 0; at < data.length; at += bytes) {
                file.writeAt(at, MPI.slice(data, at), bytes, MPI.BYTE);
            }
        } else {
            file.writeAll(data, data.length, MPI.BYTE);
        }
        MPI.COMM_WORLD.barrier();
        double seconds = MPI.wtime() - begin;
        byte[] last = new byte[1];
        file.readAt(data.length - 1L, last, 1, MPI.BYTE);
        if (last[0] != data[0] || file.getSize() != (long) data.length * ranks) {
            throw new IllegalStateException("the file is wrong");
        }
        file.close();
        return seconds;
    }
}

package org.brigade.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import mpi.MPI;

/**
 * Reduces among all ranks until a file is there, and some calls more, with every result compared. It says when it has
 * begun, and how long the longest call took.
 */
final class ReducingProgram {
    private static final int COUNT = 20_000;
    private static final int PRINTED_EVERY = 100;
    private static final int CALLS_AFTER = 200;

    private ReducingProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        Path stop = Path.of(arguments[0]);
        int last = Integer.MAX_VALUE;
        long longest = 0;
        long[] mine = new long[COUNT];
        long[] sums = new long[COUNT];
        boolean[] on = {true};
        for (int call = 0; on[0]; call++) {
            for (int i = 0; i < COUNT; i++) {
                mine[i] = call + (long) i * (rank + 1);
            }
            long before = System.nanoTime();
            MPI.COMM_WORLD.allReduce(mine, sums, COUNT, MPI.LONG, MPI.SUM);
            longest = Math.max(longest, System.nanoTime() - before);
            for (int i = 0; i < COUNT; i++) {
                if (sums[i] != (long) call * size + (long) i * size * (size + 1) / 2) {
                    throw new AssertionError("call " + call + ", element " + i + ": " + sums[i]);
                }
            }
            if (rank == 0 && last == Integer.MAX_VALUE && Files.exists(stop)) {
                last = call + CALLS_AFTER;
            }
            on[0] = call < last;
            MPI.COMM_WORLD.bcast(on, 1, MPI.BOOLEAN, 0);
            if (rank == 0 && call % PRINTED_EVERY == PRINTED_EVERY - 1) {
                System.out.println(call + 1 + " calls");
            }
        }
        System.out.println("rank " + rank + ": right to the end, the longest call " + longest / 1_000_000_000 + " s");
        MPI.Finalize();
    }
}

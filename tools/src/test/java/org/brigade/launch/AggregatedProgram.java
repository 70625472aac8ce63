package org.brigade.launch;

import mpi.MPI;

/**
 * Sums until told how often, by files: {@code TURNS FILE}. Says when it has begun, and how it ended. Exits with 3 if a
 * sum is wrong.
 */
public final class AggregatedProgram {
    private static final int COUNT = 200_000;

    private AggregatedProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        int turns = Integer.parseInt(arguments[0]);
        int rank = MPI.COMM_WORLD.getRank();
        int ranks = MPI.COMM_WORLD.getSize();
        int[] own = new int[COUNT];
        int[] sum = new int[COUNT];
        for (int turn = 0; turn < turns; turn++) {
            for (int i = 0; i < COUNT; i++) {
                own[i] = (i ^ turn) * (rank + 1);
            }
            MPI.COMM_WORLD.allReduce(own, sum, COUNT, MPI.INT, MPI.SUM);
            for (int i = 0; i < COUNT; i++) {
                if (sum[i] != (i ^ turn) * (ranks * (ranks + 1) / 2)) {
                    System.out.println("rank " + rank + ": element " + i + " of turn " + turn + " is wrong");
                    System.exit(3);
                }
            }
            if (rank == 0 && turn == turns / 4) {
                System.out.println("a quarter is done");
            }
        }
        System.out.println("rank " + rank + " has " + turns + " right sums");
        MPI.Finalize();
    }
}

package org.brigade.cluster;

import java.util.Arrays;
import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.communicator.call.Diagnostics;

/**
 * What one rank of {@link DeviceHostsTest} runs: a bcast, an allreduce and an alltoall of each of the given bytes
 * between GPUs of several hosts, every result compared. Rank 0 prints the algorithm and the median of the times.
 */
public final class DeviceHostsTrial {
    private static final int TIMES = 3;

    private DeviceHostsTrial() {
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        int ranks = world.getSize();
        DeviceInts.enter(rank);
        for (String word : arguments) {
            int ints = Integer.parseInt(word) / Integer.BYTES;
            try (DeviceInts mine = new DeviceInts(ints); DeviceInts result = new DeviceInts(ints)) {
                int[] expected = new int[ints];
                long[] nanos = new long[TIMES];
                for (int time = 0; time < TIMES; time++) {
                    int root = time % ranks;
                    fill(expected, 7 * time, 1);
                    mine.set(rank == root ? expected : new int[ints]);
                    world.barrier();
                    long start = System.nanoTime();
                    world.bcast(mine.at(), ints, MPI.INT, root);
                    nanos[time] = System.nanoTime() - start;
                    mine.require("bcast of " + word + " bytes from " + root, expected);
                }
                say(rank, "bcast", word, nanos);
                for (int time = 0; time < TIMES; time++) {
                    fill(expected, rank + time, rank + 1);
                    mine.set(expected);
                    fill(expected, ranks * (ranks - 1) / 2 + ranks * time, ranks * (ranks + 1) / 2);
                    world.barrier();
                    long start = System.nanoTime();
                    world.allReduce(mine.at(), result.at(), ints, MPI.INT, MPI.SUM);
                    nanos[time] = System.nanoTime() - start;
                    result.require("allreduce of " + word + " bytes", expected);
                }
                say(rank, "allreduce", word, nanos);
                int block = ints / ranks;
                int[] blocks = new int[ints];
                for (int time = 0; time < TIMES; time++) {
                    mine.set(numbered(blocks, block, rank, time));
                    result.set(new int[ints]);
                    world.barrier();
                    long start = System.nanoTime();
                    world.allToAll(mine.at(), block, MPI.INT, result.at(), block, MPI.INT);
                    nanos[time] = System.nanoTime() - start;
                    for (int i = 0; i < ints; i++) {
                        expected[i] = i < block * ranks ? time + i % block + 1000 * (i / block) + 100 * rank : 0;
                    }
                    result.require("alltoall of " + word + " bytes", expected);
                }
                say(rank, "alltoall", word, nanos);
            }
        }
        MPI.Finalize();
    }

    private static void fill(int[] values, int first, int step) {
        for (int i = 0; i < values.length; i++) {
            values[i] = first + step * i;
        }
    }

    /** Blocks that tell from which rank to which they go. */
    private static int[] numbered(int[] values, int block, int from, int time) {
        for (int i = 0; i / block < values.length / block; i++) {
            values[i] = time + i % block + 1000 * from + 100 * (i / block);
        }
        return values;
    }

    private static void say(int rank, String collective, String bytes, long[] nanos) {
        if (rank == 0) {
            Arrays.sort(nanos);
            System.out.printf(Locale.ROOT, "%s %s %s %.1f ms%n", collective, bytes, Diagnostics.lastAlgorithm(),
                nanos[TIMES / 2] * 1e-6);
        }
    }
}

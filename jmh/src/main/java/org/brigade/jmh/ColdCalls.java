package org.brigade.jmh;

import java.util.Arrays;
import mpi.MPI;
import mpi.MPIException;

/**
 * The first calls of an allreduce in a fresh JVM, in microseconds on rank 0. Arguments: elements, calls, and "new" for
 * the dialect of Open MPI instead of MPJ Express's. The class depends on package mpi alone, and a JVM resolves a method
 * when it is first called; so the same class file also runs on these two libraries.
 */
public final class ColdCalls {
    /** The last call of each group; a group's time is the median of its calls. */
    private static final int[] GROUPS = {1, 2, 3, 10, 30, 100, 300};

    private ColdCalls() {
    }

    public static void main(String[] arguments) throws MPIException {
        long start = System.nanoTime();
        String[] own = MPI.Init(arguments);
        long init = System.nanoTime() - start;
        int count = Integer.parseInt(own[0]);
        long[] times = new long[Integer.parseInt(own[1])];
        boolean old = own.length < 3;
        double[] send = new double[count];
        double[] recv = new double[count];
        Arrays.fill(send, 1);
        for (int i = 0; i < times.length; i++) {
            long before = System.nanoTime();
            if (old) {
                MPI.COMM_WORLD.Allreduce(send, 0, recv, 0, count, MPI.DOUBLE, MPI.SUM);
            } else {
                MPI.COMM_WORLD.allReduce(send, recv, count, MPI.DOUBLE, MPI.SUM);
            }
            times[i] = System.nanoTime() - before;
        }
        if ((old ? MPI.COMM_WORLD.Rank() : MPI.COMM_WORLD.getRank()) == 0) {
            StringBuilder line = new StringBuilder("init ").append(init / 1000);
            int from = 0;
            for (int last : GROUPS) {
                if (last <= times.length) {
                    long[] group = Arrays.copyOfRange(times, from, last);
                    Arrays.sort(group);
                    line.append(" | ").append(last).append(": ").append(group[group.length / 2] / 1000);
                    from = last;
                }
            }
            long sum = 0;
            for (long time : times) {
                sum += time;
            }
            System.out.println(line.append(" | all ").append(sum / 1000));
        }
        MPI.Finalize();
    }
}

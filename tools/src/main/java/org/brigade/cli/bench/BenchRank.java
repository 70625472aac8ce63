package org.brigade.cli.bench;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.cli.shared.SizeList;
import org.brigade.setting.Setting;

/**
 * What every rank of {@code brigade bench} runs; it can be started by any launcher: {@code mpirun -np 2 mpjava
 * org.brigade.cli.bench.BenchRank latency,bcast 8:64K direct}. Rank 0 prints CSV: operation, ranks, bytes, algorithm,
 * microseconds. A time is the mean over ranks of the mean over iterations, each line the median of {@value #REPEATS}
 * such times.
 */
public final class BenchRank {
    private static final int REPEATS = 5;
    /**
     * A size is warm once it has been called so often, or for so many nanoseconds, and the JVM has then compiled
     * nothing for a while; in any case after the longest time, which is meant for ranks that have a core each: where
     * several share one, so do their compilers.
     */
    private static final int WARM_CALLS = 4000;
    private static final long WARM_TIME = 700_000_000;
    private static final long QUIET = 150_000_000;
    private static final long LONGEST_WARM_UP = 2_000_000_000;
    private static final int MOST_SHARING = 8;

    /** {@code brigade.bench.iterations}, for slow networks: calls a time at most. */
    private static final int MOST_ITERATIONS = (int) Setting.number("bench.iterations");

    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

    private BenchRank() {
    }

    /** Arguments: operations, sizes, {@code direct} or {@code array}. */
    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        List<BenchOperation> operations = Arrays.stream(arguments[0].split(",")).map(BenchOperation::of).toList();
        List<Long> sizes = SizeList.parse(arguments[1]);
        boolean direct = arguments[2].equals("direct");
        if (MPI.COMM_WORLD.getRank() == 0) {
            System.out.println("operation,ranks,bytes,algorithm,microseconds");
        }
        for (BenchOperation operation : operations) {
            if (operation.pointToPoint() && MPI.COMM_WORLD.getSize() < 2) {
                throw new IllegalArgumentException(operation.key() + " needs 2 ranks; start the benchmark with --np 2");
            }
            measure(operation, operation == BenchOperation.BARRIER ? List.of(0L) : sizes, direct);
        }
        MPI.Finalize();
    }

    private static void measure(BenchOperation operation, List<Long> sizes, boolean direct) throws MPIException {
        int ranks = MPI.COMM_WORLD.getSize();
        long most = 0;
        for (long size : sizes) {
            most = Math.max(most, size);
        }
        long send = operation.sendBytes(most, ranks);
        long recv = operation.recvBytes(most, ranks);
        BenchBuffers buffers =
            direct ? BenchBuffers.direct(send, recv) : BenchBuffers.arrays(operation.reduces(), send, recv);
        BenchCalls[] calls = new BenchCalls[sizes.size()];
        for (int i = 0; i < calls.length; i++) {
            calls[i] = new BenchCalls(operation, buffers, (int) bytes(operation, sizes.get(i)));
            warmUp(calls[i], iterations(bytes(operation, sizes.get(i))), WARM_CALLS);
        }
        median(calls[0], iterations(bytes(operation, sizes.get(0))), operation.pointToPoint()); // the measuring itself
                                                                                                // wants to be warm, too
        for (int i = 0; i < calls.length; i++) {
            long bytes = bytes(operation, sizes.get(i));
            warmUp(calls[i], iterations(bytes), 0);
            double nanoseconds = median(calls[i], iterations(bytes), operation.pointToPoint());
            if (MPI.COMM_WORLD.getRank() == 0) {
                System.out.println(operation.key() + "," + ranks + "," + bytes + ","
                    + (operation.pointToPoint() ? "point-to-point" : calls[i].algorithm()) + ","
                    + String.format(Locale.ROOT, "%.3f", nanoseconds / 1000));
            }
        }
    }

    private static long bytes(BenchOperation operation, long size) {
        return operation.reduces() ? Math.max(4, size / 4 * 4) : size;
    }

    /**
     * Lets the JVM compile what is about to be timed, and gives its compiler a core to do so: until no rank has
     * compiled anything for a while.
     */
    private static void warmUp(BenchCalls calls, int iterations, int leastCalls) throws MPIException {
        int sharing = Math.max(1, MPI.COMM_WORLD.getSize() / Runtime.getRuntime().availableProcessors());
        long longest = leastCalls > 0 ? LONGEST_WARM_UP * Math.min(sharing, MOST_SHARING) : LONGEST_WARM_UP;
        long start = System.nanoTime();
        long lastCompiled = start;
        long compiled = COMPILER.getTotalCompilationTime();
        boolean[] mine = new boolean[1];
        boolean[] any = new boolean[1];
        int made = 0;
        do {
            calls.time(iterations);
            made += iterations;
            try {
                Thread.sleep(2);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            long now = System.nanoTime();
            if (COMPILER.getTotalCompilationTime() > compiled) {
                compiled = COMPILER.getTotalCompilationTime();
                lastCompiled = now;
            }
            boolean few = made < leastCalls && now - start < WARM_TIME;
            mine[0] = (few || now - lastCompiled < QUIET) && now - start < longest;
            MPI.COMM_WORLD.allReduce(mine, any, 1, MPI.BOOLEAN, MPI.LOR);
        } while (any[0]);
    }

    private static int iterations(long bytes) {
        return Math.min(MOST_ITERATIONS, bytes <= 8192 ? 3000 : bytes <= 1 << 20 ? 300 : 30);
    }

    private static double median(BenchCalls calls, int iterations, boolean pointToPoint) throws MPIException {
        double[] times = new double[REPEATS];
        double[] mine = new double[1];
        double[] sum = new double[1];
        for (int repeat = 0; repeat < REPEATS + 1; repeat++) {
            MPI.COMM_WORLD.barrier();
            mine[0] = calls.time(iterations);
            MPI.COMM_WORLD.allReduce(mine, sum, 1, MPI.DOUBLE, MPI.SUM);
            if (repeat > 0) {
                times[repeat - 1] = pointToPoint ? mine[0] : sum[0] / MPI.COMM_WORLD.getSize();
            }
        }
        Arrays.sort(times);
        return times[REPEATS / 2];
    }
}

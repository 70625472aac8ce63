package org.brigade.cli.bench;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.cli.shared.SizeList;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.nativ.Libc;

/**
 * What every rank of {@code brigade bench --metrics nccl} runs; it can be started by any launcher. Arguments:
 * operations, sizes. Rank 0 prints {@link BusRow}s. Measured as nccl-tests does, calls back to back; a time is that of
 * the slowest rank, the median of {@value #REPEATS}. Calls that take long are made once. bus_bench.c does the same in
 * C.
 */
public final class BusBenchRank {
    private static final int REPEATS = 3;
    private static final int MOST_ITERATIONS = 2000;
    /** Seconds of a measurement. */
    private static final double SPAN = 0.04;
    /** Seconds of a call that needs no warm-up. */
    private static final double LONG = 0.5;
    /**
     * The JVM compiles what messages up to so many bytes run before any is timed: until it has compiled nothing for so
     * many seconds, but not for longer than some. The compiler shares the cores with ranks that spin: it takes its
     * time.
     */
    private static final long COMPILED = 16 << 20;
    private static final double QUIET = 0.15;
    private static final double LONGEST = 2;

    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

    private final BusOperation operation;
    private final BusCall call;
    private String name = "";
    private final double[] mine = new double[2];
    private final double[] all = new double[2];

    private BusBenchRank(BusOperation operation, long most) throws MPIException {
        this.operation = operation;
        call = new BusCall(operation, most);
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        int ranks = MPI.COMM_WORLD.getSize();
        for (String key : arguments[0].split(",")) {
            BusOperation operation = BusOperation.of(key);
            if (operation.tensors() != null) {
                long bytes = 4L * Arrays.stream(operation.tensors()).sum();
                BusBenchRank bench = new BusBenchRank(operation, bytes);
                bench.compile(bytes);
                bench.measure(bytes, 0);
                continue;
            }
            List<Long> sizes = SizeList.parse(arguments[1]).stream().map(size -> operation.bytes(size, ranks)).toList();
            BusBenchRank bench = new BusBenchRank(operation, sizes.stream().max(Long::compare).orElseThrow());
            for (long bytes : sizes) {
                if (bytes <= COMPILED) {
                    bench.compile(bytes);
                }
            }
            double expected = 0;
            long before = 0;
            for (long bytes : sizes) {
                expected = bench.measure(bytes, bytes > before ? expected : 0);
                before = bytes;
            }
        }
        MPI.Finalize();
    }

    private void compile(long bytes) throws MPIException {
        long begin = System.nanoTime();
        long last = begin;
        long compiled = COMPILER.getTotalCompilationTime();
        double busy;
        do {
            warmUp(bytes, QUIET / 8);
            try {
                Thread.sleep(2);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            long now = System.nanoTime();
            if (COMPILER.getTotalCompilationTime() > compiled) {
                compiled = COMPILER.getTotalCompilationTime();
                last = now;
            }
            busy = slowest((now - last) * 1e-9 < QUIET && (now - begin) * 1e-9 < LONGEST ? 1 : 0);
        } while (busy > 0);
    }

    /** Calls for so many seconds, at least once; seconds of the last call. */
    private double warmUp(long bytes, double seconds) throws MPIException {
        double once;
        double spent = 0;
        do {
            MPI.COMM_WORLD.barrier();
            long start = System.nanoTime();
            call.run(bytes);
            once = slowest((System.nanoTime() - start) * 1e-9);
            spent += once;
        } while (spent < seconds);
        return once;
    }

    /**
     * Prints a row.
     *
     * @param expected what a call takes at least
     * @return seconds of a call
     */
    private double measure(long bytes, double expected) throws MPIException {
        double once = expected < LONG ? warmUp(bytes, SPAN) : expected;
        int iterations = (int) Math.max(1, Math.min(MOST_ITERATIONS, SPAN / once));
        int repeats = once < LONG ? REPEATS : 1;
        double[] times = new double[repeats];
        double[] shares = new double[repeats];
        for (int repeat = 0; repeat < repeats; repeat++) {
            MPI.COMM_WORLD.barrier();
            long start = System.nanoTime();
            long cpu = Libc.processorNanos();
            for (int i = 0; i < iterations; i++) {
                call.run(bytes);
            }
            mine[1] = (System.nanoTime() - start) * 1e-9;
            mine[0] = (Libc.processorNanos() - cpu) * 1e-9;
            String algorithm = repeat == 0 ? Diagnostics.lastAlgorithm() : null;
            name = algorithm == null ? name : algorithm;
            MPI.COMM_WORLD.allReduce(mine, all, 2, MPI.DOUBLE, MPI.SUM);
            double share = all[0] / all[1];
            double time = slowest(mine[1]) / iterations;
            int at = repeat;
            for (; at > 0 && times[at - 1] > time; at--) {
                times[at] = times[at - 1];
                shares[at] = shares[at - 1];
            }
            times[at] = time;
            shares[at] = share;
        }
        double time = times[repeats / 2];
        if (MPI.COMM_WORLD.getRank() == 0) {
            System.out.println(
                new BusRow(operation, MPI.COMM_WORLD.getSize(), bytes, name, time * 1e6, shares[repeats / 2]).line());
        }
        return time;
    }

    private double slowest(double seconds) throws MPIException {
        double[] most = {seconds};
        MPI.COMM_WORLD.allReduce(most, 1, MPI.DOUBLE, MPI.MAX);
        return most[0];
    }
}

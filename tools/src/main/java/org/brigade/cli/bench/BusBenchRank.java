package org.brigade.cli.bench;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.cli.bench.timing.Timing;
import org.brigade.cli.shared.SizeList;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.nativ.Libc;

/**
 * The program of every rank of {@code brigade bench --metrics nccl}. Any launcher can start it. Arguments: operations,
 * sizes. Rank 0 prints {@link BusRow}s. As in nccl-tests, calls run back to back. A time is the slowest rank's, the
 * median of {@value #REPEATS}; long calls are made only once. bus_bench.c does the same in C.
 */
public final class BusBenchRank {
    private static final int REPEATS = 3;
    private static final int MOST_ITERATIONS = 2000;
    /** Nanoseconds that a measurement should take. */
    private static final long SPAN = 40_000_000;
    /** A call of at least so many nanoseconds needs no warm-up and no repeat. */
    private static final long LONG = 500_000_000;
    /**
     * Sizes up to COMPILED bytes are warmed up before any size is timed, each for at most LONGEST nanoseconds. The
     * compiler is slow because it shares the cores with spinning ranks.
     */
    private static final long COMPILED = 16 << 20;
    private static final long LONGEST = 2_000_000_000;
    private static final long BATCH = 20_000_000;

    private final Intracomm world = MPI.COMM_WORLD;
    private final Timing timing = new Timing(world);
    private final BusOperation operation;
    private final BusCall call;
    private String name = "";

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
        timing.compile(() -> timing.warmUp(() -> call.run(bytes), 1, BATCH), 0, LONGEST);
    }

    /**
     * Measures one size and prints a row.
     *
     * @param expected a lower bound for the nanoseconds of a call; 0 if unknown
     * @return nanoseconds of a call
     */
    private double measure(long bytes, double expected) throws MPIException {
        double once = expected < LONG ? timing.warmUp(() -> call.run(bytes), 1, SPAN) : expected;
        int iterations = Timing.calls(SPAN, once, 1, MOST_ITERATIONS);
        double[][] times = new double[once < LONG ? REPEATS : 1][];
        for (int repeat = 0; repeat < times.length; repeat++) {
            world.barrier();
            long start = System.nanoTime();
            long cpu = Libc.processorNanos();
            for (int i = 0; i < iterations; i++) {
                call.run(bytes);
            }
            long wall = System.nanoTime() - start;
            cpu = Libc.processorNanos() - cpu;
            String algorithm = repeat == 0 ? Diagnostics.lastAlgorithm() : null;
            name = algorithm == null ? name : algorithm;
            double share = timing.mean(cpu) / timing.mean(wall);
            times[repeat] = new double[] {timing.slowest(wall) / iterations, share};
        }
        Arrays.sort(times, Comparator.comparingDouble(time -> time[0]));
        double[] median = times[times.length / 2];
        if (world.getRank() == 0) {
            System.out
                .println(new BusRow(operation, world.getSize(), bytes, name, median[0] * 1e-3, median[1]).line());
        }
        return median[0];
    }
}

package org.brigade.cli.bench;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.spi.Collective;
import org.brigade.cli.bench.families.FamilyOperation;
import org.brigade.cli.bench.timing.Timing;
import org.brigade.cli.bench.versus.BenchJob;
import org.brigade.cli.shared.SizeList;
import org.brigade.setting.Setting;

/**
 * The program of every rank of {@code brigade bench}. Any launcher can start it: {@code mpirun -np 2 mpjava
 * org.brigade.cli.bench.BenchRank latency,bcast 8:64K direct}. Rank 0 prints CSV: operation, ranks, bytes, algorithm,
 * microseconds. A time is the mean over ranks of the mean over iterations. A line gives the median of {@value #REPEATS}
 * such times.
 */
public final class BenchRank {
    private static final int REPEATS = 5;
    /** Calls that warm up one size. */
    private static final int WARM_CALLS = 4000;
    /**
     * The longest warm-up of an operation in nanoseconds, for ranks with a core each; and once more, as long at most,
     * for each size. If ranks share cores, their compilers do too, and the limit is longer.
     */
    private static final long LONGEST_WARM_UP = 2_000_000_000;
    private static final int MOST_SHARING = 8;

    /** {@code brigade.bench.iterations}: the most calls for one time, to be lowered on slow networks. */
    private static final int MOST_ITERATIONS = (int) Setting.number("bench.iterations");

    private BenchRank() {
    }

    /**
     * Arguments: operations, sizes, {@code direct} or {@code array}, and {@code fresh=BYTES} for buffers that rotate.
     */
    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        BenchOperation.check(arguments[0], MPI.COMM_WORLD.getSize());
        List<Long> sizes = SizeList.parse(arguments[1]);
        boolean direct = arguments[2].equals("direct");
        long fresh = BenchJob.freshBytes(arguments.length > 3 ? arguments[3] : "");
        if (MPI.COMM_WORLD.getRank() == 0) {
            System.out.println("operation,ranks,bytes,algorithm,microseconds");
        }
        for (String key : arguments[0].split(",")) {
            FamilyOperation family = FamilyOperation.of(key);
            if (family != null) {
                measure(key, family.timed() != FamilyOperation.Timed.TOGETHER,
                    family.isSized() ? sizes.stream().filter(size -> size <= family.most()).toList() : List.of(0L),
                    family.iterations(), size -> new FamilyTimes(MPI.COMM_WORLD, family, (int) size, direct));
                continue;
            }
            BenchOperation operation = BenchOperation.of(key);
            List<Long> own = operation.collective() == Collective.BARRIER ? List.of(0L) : sizes;
            measure(key, operation.pointToPoint(), own, MOST_ITERATIONS,
                calls(operation, Collections.max(own), direct, fresh));
        }
        MPI.Finalize();
    }

    /** Makes the calls of one size ready. Buffers of all sizes at once could be more than the heap holds. */
    private interface Sizes {
        TimedCalls of(long size) throws MPIException;
    }

    /**
     * @param first whether rank 0's time counts; else the mean over ranks
     * @param most calls for one time
     */
    private static void measure(String key, boolean first, List<Long> sizes, int most, Sizes calls)
        throws MPIException {
        int ranks = MPI.COMM_WORLD.getSize();
        Timing timing = new Timing(MPI.COMM_WORLD);
        int sharing = Math.max(1, ranks / Runtime.getRuntime().availableProcessors());
        for (long size : sizes) {
            TimedCalls each = calls.of(size);
            int iterations = Math.min(most, iterations(each.bytes()));
            timing.compile(() -> each.time(iterations), (WARM_CALLS + iterations - 1) / iterations,
                LONGEST_WARM_UP * Math.min(sharing, MOST_SHARING) / sizes.size());
            each.close();
        }
        for (int i = sizes.isEmpty() ? 0 : -1; i < sizes.size(); i++) { // the first one warms up the measuring code,
                                                                        // too
            TimedCalls each = calls.of(sizes.get(Math.max(0, i)));
            int iterations = Math.min(most, iterations(each.bytes()));
            if (i >= 0) {
                timing.compile(() -> each.time(iterations), 0, LONGEST_WARM_UP);
            }
            double nanoseconds = median(timing, each, iterations, first);
            if (i >= 0 && MPI.COMM_WORLD.getRank() == 0) {
                System.out.println(key + "," + ranks + "," + each.bytes() + "," + each.algorithm() + ","
                    + String.format(Locale.ROOT, "%.3f", nanoseconds / 1000));
            }
            each.close();
        }
    }

    private static Sizes calls(BenchOperation operation, long most, boolean direct, long freshBytes)
        throws MPIException {
        int ranks = MPI.COMM_WORLD.getSize();
        long send = operation.sendBytes(most, ranks);
        long recv = operation.recvBytes(most, ranks);
        Intracomm comm = operation.communicator(MPI.COMM_WORLD);
        if (freshBytes > 0) {
            FreshBuffers fresh = direct ? FreshBuffers.direct(send, recv, freshBytes)
                : FreshBuffers.arrays(operation.reduces(), send, operation.oneSided() ? recv : 0, freshBytes);
            return size -> new BenchCalls(comm, operation, fresh, (int) bytes(operation, size),
                new Timing(comm));
        }
        BenchBuffers buffers = operation.oneSided() && direct ? BenchBuffers.ofLibrary(send, recv)
            : direct ? BenchBuffers.direct(send, recv) : BenchBuffers.arrays(operation.reduces(), send, recv);
        return size -> new BenchCalls(comm, operation, buffers, (int) bytes(operation, size));
    }

    private static long bytes(BenchOperation operation, long size) {
        return operation.reduces() ? Math.max(4, size / 4 * 4) : size;
    }

    private static int iterations(long bytes) {
        return Math.min(MOST_ITERATIONS, bytes <= 8192 ? 3000 : bytes <= 1 << 20 ? 300 : 30);
    }

    private static double median(Timing timing, TimedCalls calls, int iterations, boolean first) throws MPIException {
        return timing.median(REPEATS, () -> {
            double mine = calls.time(iterations);
            double mean = timing.mean(mine);
            return first ? mine : mean;
        });
    }
}

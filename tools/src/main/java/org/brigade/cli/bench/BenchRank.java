package org.brigade.cli.bench;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.spi.Collective;
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
     * The longest warm-up in nanoseconds, for ranks with a core each. If ranks share cores, their compilers do too, and
     * the limit is longer.
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
        List<BenchOperation> operations = BenchOperation.list(arguments[0], MPI.COMM_WORLD.getSize());
        List<Long> sizes = SizeList.parse(arguments[1]);
        boolean direct = arguments[2].equals("direct");
        long fresh = BenchJob.freshBytes(arguments.length > 3 ? arguments[3] : "");
        if (MPI.COMM_WORLD.getRank() == 0) {
            System.out.println("operation,ranks,bytes,algorithm,microseconds");
        }
        for (BenchOperation operation : operations) {
            measure(operation, operation.collective() == Collective.BARRIER ? List.of(0L) : sizes, direct, fresh);
        }
        MPI.Finalize();
    }

    /** Makes the calls of one size ready. Buffers of all sizes at once could be more than the heap holds. */
    private interface Sizes {
        BenchCalls of(long size) throws MPIException;
    }

    private static void measure(BenchOperation operation, List<Long> sizes, boolean direct, long fresh)
        throws MPIException {
        int ranks = MPI.COMM_WORLD.getSize();
        Timing timing = new Timing(MPI.COMM_WORLD);
        Sizes calls = calls(operation, Collections.max(sizes), direct, fresh);
        int sharing = Math.max(1, ranks / Runtime.getRuntime().availableProcessors());
        for (long size : sizes) {
            BenchCalls each = calls.of(size);
            int iterations = iterations(each.bytes());
            timing.compile(() -> each.time(iterations), (WARM_CALLS + iterations - 1) / iterations,
                LONGEST_WARM_UP * Math.min(sharing, MOST_SHARING));
        }
        median(timing, calls.of(sizes.get(0)), operation.pointToPoint()); // warms up the measuring code, too
        for (long size : sizes) {
            BenchCalls each = calls.of(size);
            timing.compile(() -> each.time(iterations(each.bytes())), 0, LONGEST_WARM_UP);
            double nanoseconds = median(timing, each, operation.pointToPoint());
            if (MPI.COMM_WORLD.getRank() == 0) {
                System.out.println(operation.key() + "," + ranks + "," + each.bytes() + "," + each.algorithm() + ","
                    + String.format(Locale.ROOT, "%.3f", nanoseconds / 1000));
            }
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
        BenchBuffers buffers =
            direct ? BenchBuffers.direct(send, recv) : BenchBuffers.arrays(operation.reduces(), send, recv);
        return size -> new BenchCalls(comm, operation, buffers, (int) bytes(operation, size));
    }

    private static long bytes(BenchOperation operation, long size) {
        return operation.reduces() ? Math.max(4, size / 4 * 4) : size;
    }

    private static int iterations(long bytes) {
        return Math.min(MOST_ITERATIONS, bytes <= 8192 ? 3000 : bytes <= 1 << 20 ? 300 : 30);
    }

    private static double median(Timing timing, BenchCalls calls, boolean pointToPoint) throws MPIException {
        return timing.median(REPEATS, () -> {
            double mine = calls.time(iterations(calls.bytes()));
            double mean = timing.mean(mine);
            return pointToPoint ? mine : mean;
        });
    }
}

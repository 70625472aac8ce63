package org.brigade.cli.bench;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.spi.Collective;
import org.brigade.cli.device.QueuedCalls;
import org.brigade.cli.device.StreamClock;
import org.brigade.cli.shared.SizeList;
import org.brigade.cli.verify.TrialMemory;
import org.brigade.cli.verify.TrialType;
import org.brigade.cli.verify.VerifyRank;

/**
 * What every rank of {@code brigade bench --space device} runs; it can be started by any launcher:
 * {@code mpjrun -np 4 org.brigade.cli.bench.DeviceBenchRank allreduce,bcast 16,1M}. Ranks start a call together, after
 * a barrier on the host; a rank's time is the median over calls, and what rank 0 prints is the slowest rank's:
 * {@code operation,ranks,bytes,algorithm,microseconds,stream,graph}: a blocking call, one of many on a stream, one of
 * many in a graph; the last two are empty where there is no such call. After each size and way one call's result is
 * compared with what it must be.
 */
public final class DeviceBenchRank {
    private static final long WARM_NANOS = 400_000_000;
    private static final int PIECE = 16 << 20;

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank = world.getRank();
    private final int ranks = world.getSize();
    private final BenchOperation operation;
    private final TrialMemory send;
    private final TrialMemory recv;
    private final long capacity;
    private final ByteBuffer piece = TrialType.bytes(PIECE);

    private DeviceBenchRank(BenchOperation operation, long capacity) throws MPIException {
        this.operation = operation;
        this.capacity = capacity;
        send = TrialMemory.device(capacity);
        recv = TrialMemory.device(capacity);
        recv.fill((byte) 0);
        fill();
    }

    /** Arguments: operations, sizes, and optionally the GPUs to use (0: all) and {@code unchecked}. */
    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        List<BenchOperation> operations = Arrays.stream(arguments[0].split(",")).map(BenchOperation::of).toList();
        List<Long> sizes = SizeList.parse(arguments[1]);
        VerifyRank.selectGpu(arguments.length > 2 ? Integer.parseInt(arguments[2]) : 0);
        boolean checked = arguments.length < 4 || !arguments[3].equals("unchecked");
        int ranks = MPI.COMM_WORLD.getSize();
        for (BenchOperation operation : operations) {
            if (operation.pointToPoint() && ranks < 2) {
                throw new IllegalArgumentException(operation.key() + " needs 2 ranks; start the benchmark with --np 2");
            }
            if (operation != BenchOperation.BARRIER) {
                long most = 0;
                for (long size : sizes) {
                    most = Math.max(most, 4L * ranks * (block(operation, size, ranks) / 4 + 1));
                }
                new DeviceBenchRank(operation, most).measure(sizes, checked);
            }
        }
        MPI.Finalize();
    }

    /**
     * Bytes as {@link BenchCalls} counts them, of a size as NCCL's benchmarks count: the whole of what ranks gather,
     * scatter or exchange.
     */
    public static long block(BenchOperation operation, long size, int ranks) {
        boolean divided = operation.sendBytes(1, 2) == 2 || operation.recvBytes(1, 2) == 2;
        long bytes =
            divided ? Math.max(4, size / ranks / 4 * 4) : operation.reduces() ? Math.max(4, size / 4 * 4) : size;
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                size + " bytes are more than a call's count can say; take sizes below 2 GiB");
        }
        return bytes;
    }

    private void measure(List<Long> sizes, boolean checked) throws MPIException {
        BenchBuffers buffers = new BenchBuffers(send.at(0), recv.at(0), null, null);
        for (int i = 0; i < sizes.size(); i++) {
            long size = sizes.get(i);
            int bytes = (int) block(operation, size, ranks);
            BenchCalls calls = new BenchCalls(operation, buffers, bytes);
            int iterations = bytes <= 1 << 20 ? 400 : bytes <= 64 << 20 ? 40 : 12;
            warmUp(calls, i == 0 ? WARM_NANOS : 0);
            double mine = operation.pointToPoint() ? calls.time(iterations) / 1000 : blocking(calls, iterations);
            double[] slowest = new double[1];
            world.allReduce(new double[] {mine}, slowest, 1, MPI.DOUBLE, MPI.MAX);
            if (checked && !operation.pointToPoint()) {
                check(() -> calls.time(1), bytes, size, calls::algorithm);
            } else if (!operation.pointToPoint()) {
                calls.time(1); // for the name of what ran
            }
            String streams = onStreams(bytes, size, i == 0 ? WARM_NANOS : 0, checked);
            if (rank == 0) {
                System.out.println(operation.key() + "," + ranks + "," + size + ","
                    + (operation.pointToPoint() ? "point-to-point" : calls.algorithm()) + ","
                    + String.format(Locale.ROOT, "%.3f", slowest[0]) + "," + streams);
            }
        }
        send.close();
        recv.close();
    }

    /**
     * The slowest rank's times on a stream and in a graph as two fields, empty if there is no such call or it cannot be
     * made here.
     */
    private String onStreams(int bytes, long size, long warm, boolean checked) throws MPIException {
        Collective collective = operation.pointToPoint() ? null : Collective.valueOf(operation.name());
        int floats = collective == Collective.REDUCE_SCATTER ? bytes / 4 / ranks : bytes / 4;
        boolean whole = collective == Collective.REDUCE_SCATTER ? bytes % (4 * ranks) == 0 : bytes % 4 == 0;
        if (collective == null || !whole || floats == 0 || !QueuedCalls.serve(collective)) {
            return ",";
        }
        double[] times = new double[2];
        // Opened for each size: while it is open, no resident kernel serves blocking calls.
        StreamClock opened;
        try {
            opened = new StreamClock(world, send.at(0), recv.at(0), capacity);
        } catch (MPIException e) {
            return ","; // on all ranks: the GPUs do not reach each other
        }
        try (StreamClock clock = opened) {
            int calls = bytes <= 16 << 20 ? 50 : 10;
            int rounds = bytes <= 1 << 20 ? 15 : 5;
            clock.warmUp(collective, floats, warm);
            times[0] = clock.stream(collective, floats, calls, rounds);
            if (checked) {
                check(() -> clock.once(collective, floats), bytes, size, () -> "a call on a stream");
            }
            times[1] = clock.graph(collective, floats, calls, rounds);
            if (checked) {
                check(() -> clock.graph(collective, floats, 1, 1), bytes, size, () -> "calls in a graph");
            }
        }
        double[] slowest = new double[2];
        world.allReduce(times, slowest, 2, MPI.DOUBLE, MPI.MAX);
        return String.format(Locale.ROOT, "%.3f,%.3f", slowest[0], slowest[1]);
    }

    /** Calls until the JVM has had time to compile, a few times at least; all ranks equally often. */
    private void warmUp(BenchCalls calls, long nanos) throws MPIException {
        long start = System.nanoTime();
        boolean[] any = new boolean[1];
        do {
            if (operation.pointToPoint()) {
                calls.time(16);
            } else {
                for (int i = 0; i < 5; i++) {
                    calls.call();
                }
            }
            world.allReduce(new boolean[] {System.nanoTime() - start < nanos}, any, 1, MPI.BOOLEAN, MPI.LOR);
        } while (any[0]);
    }

    /** Microseconds of one call on this rank: the median. */
    private double blocking(BenchCalls calls, int iterations) throws MPIException {
        long[] times = new long[iterations];
        for (int i = 0; i < iterations; i++) {
            world.barrier();
            long start = System.nanoTime();
            calls.call();
            times[i] = System.nanoTime() - start;
        }
        Arrays.sort(times);
        return times[iterations / 2] / 1000.0;
    }

    // ---- results ----

    /** Float {@code index} of what a rank sends: a small whole number, so that sums are exact in every order. */
    private static float value(int of, long index) {
        return ((int) index * 0x9e3779b1 + of * 0x85ebca6b) >>> 24;
    }

    private void fill() {
        FloatBuffer floats = piece.asFloatBuffer();
        for (long at = 0; at < capacity; at += PIECE) {
            int length = (int) Math.min(PIECE, capacity - at);
            for (int i = 0; i < length / 4; i++) {
                floats.put(i, value(rank, at / 4 + i));
            }
            send.write(at, piece.slice(0, length));
        }
    }

    private interface Call {
        void make() throws MPIException;
    }

    /** One call more, into poisoned memory, and its result compared. */
    private void check(Call call, int bytes, long size, Supplier<String> algorithm) throws MPIException {
        boolean bcast = operation == BenchOperation.BCAST;
        TrialMemory out = bcast ? send : recv;
        if (!bcast || rank != 0) {
            out.fill((byte) 0xa5);
        }
        world.barrier(); // a call on a stream is no rendezvous: all have poisoned
        call.make();
        long floats = resultFloats(bytes);
        long wrong = -1;
        for (long at = 0; at < floats && wrong < 0; at += PIECE / 4) {
            int length = (int) Math.min(PIECE / 4, floats - at);
            out.read(4 * at, piece.slice(0, 4 * length));
            FloatBuffer found = piece.asFloatBuffer();
            for (int i = 0; i < length && wrong < 0; i++) {
                if (found.get(i) != expected(at + i, bytes)) {
                    wrong = at + i;
                }
            }
        }
        if (bcast && rank != 0) {
            fill();
        }
        long[] worst = new long[1];
        world.allReduce(new long[] {wrong}, worst, 1, MPI.LONG, MPI.MAX);
        if (worst[0] >= 0) {
            throw new IllegalStateException(
                operation.key() + " of " + size + " bytes by " + algorithm.get() + ": the result is wrong"
                    + (wrong >= 0 ? " on rank " + rank + " from float " + wrong + " on" : " on another rank"));
        }
    }

    /**
     * How many floats of the result are looked at on this rank: all, but for blocks whose bytes are no whole floats.
     */
    private long resultFloats(int bytes) {
        boolean root = rank == 0;
        return switch (operation) {
            case REDUCE -> root ? bytes / 4 : 0;
            case GATHER, GATHERV -> root ? (long) ranks * bytes / 4 : 0;
            case ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV -> (long) ranks * bytes / 4;
            case REDUCE_SCATTER -> share(bytes / 4, rank);
            case EXSCAN -> root ? 0 : bytes / 4;
            default -> bytes / 4;
        };
    }

    private float expected(long index, int bytes) {
        long block = bytes / 4;
        return switch (operation) {
            case BCAST -> value(0, index);
            case GATHER, GATHERV, ALLGATHER, ALLGATHERV -> value((int) (index / block), index % block);
            case SCATTER, SCATTERV -> value(0, rank * block + index);
            case ALLTOALL, ALLTOALLV -> value((int) (index / block), rank * block + index % block);
            case SCAN -> sum(rank + 1, index);
            case EXSCAN -> sum(rank, index);
            case REDUCE_SCATTER -> {
                long begin = 0;
                for (int i = 0; i < rank; i++) {
                    begin += share(bytes / 4, i);
                }
                yield sum(ranks, begin + index);
            }
            default -> sum(ranks, index);
        };
    }

    private int share(int floats, int of) {
        return floats / ranks + (of < floats % ranks ? 1 : 0);
    }

    private static float sum(int terms, long index) {
        float sum = 0;
        for (int i = 0; i < terms; i++) {
            sum += value(i, index);
        }
        return sum;
    }
}

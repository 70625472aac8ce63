package org.brigade.cli.bench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.spi.Collective;
import org.brigade.cli.bench.timing.Timing;
import org.brigade.cli.device.CudaMemory;
import org.brigade.cli.device.QueuedCalls;
import org.brigade.cli.device.TrialMemory;
import org.brigade.cli.shared.SizeList;
import org.brigade.cli.shared.UserCall;
import org.brigade.cli.verify.VerifyRank;
import org.brigade.verify.Definition;

/**
 * The program of every rank of {@code brigade bench --space device}. Any launcher can start it: {@code mpjrun -np 4
 * org.brigade.cli.bench.DeviceBenchRank allreduce,bcast 16,1M}. Ranks start each call together, after a barrier on the
 * host. A rank's time is the median over calls. Rank 0 prints the slowest rank's times:
 * {@code operation,ranks,bytes,algorithm,microseconds,stream,graph}: the times of a blocking call, of one of many calls
 * on a stream, and of one of many in a graph; the last two are empty if there is no such call. After each size, the
 * result of one call of each kind is checked.
 */
public final class DeviceBenchRank {
    /** Sizes of the first operation that are measured once for nothing. */
    private static final int REHEARSED = 3;
    private static final long WARM_NANOS = 400_000_000;
    /** For each size: its way may be another one than that of the size before, and not be compiled. */
    private static final long WARM_SIZE_NANOS = 150_000_000;
    private static final int PIECE = 16 << 20;
    /** The last argument where several nodes are one machine: a rank's number chooses its GPU, not that on its node. */
    static final String EMULATED = "emulated";

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank = world.getRank();
    private final int ranks = world.getSize();
    private final Timing timing = new Timing(world);
    private final BenchOperation operation;
    /** Defines what this rank must receive; null for point-to-point operations. */
    private final Definition definition;
    private final TrialMemory send;
    private final TrialMemory recv;
    private final long capacity;
    private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE).order(ByteOrder.nativeOrder());

    private DeviceBenchRank(BenchOperation operation, long capacity) throws MPIException {
        this.operation = operation;
        definition = operation.pointToPoint() ? null
            : Definition.of(operation.collective(), rank, ranks, 0, false);
        this.capacity = capacity;
        send = CudaMemory.allocate(capacity);
        recv = CudaMemory.allocate(capacity);
        recv.fill((byte) 0);
        fill();
    }

    /**
     * Arguments: operations, sizes, and optionally the GPUs to use (0: all), {@code unchecked} and {@value #EMULATED}.
     */
    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        int ranks = MPI.COMM_WORLD.getSize();
        List<BenchOperation> operations = BenchOperation.list(arguments[0], ranks);
        List<Long> sizes = SizeList.parse(arguments[1]);
        int gpus = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 0;
        if (arguments.length > 4 && arguments[4].equals(EMULATED)) {
            VerifyRank.selectGpu(gpus, MPI.COMM_WORLD.getRank());
        } else {
            VerifyRank.selectGpu(gpus);
        }
        boolean checked = arguments.length < 4 || !arguments[3].equals("unchecked");
        // The JVM compiles this code anew when it sees other sizes. Without a rehearsal the first operation pays for
        // it.
        boolean rehearsed = false;
        for (BenchOperation operation : operations) {
            if (operation.collective() != Collective.BARRIER) {
                if (!rehearsed) {
                    rehearsed = true;
                    List<Long> few = sizes.subList(0, Math.min(REHEARSED, sizes.size()));
                    new DeviceBenchRank(operation, capacity(operation, few, ranks)).measure(few, false, line -> {});
                }
                new DeviceBenchRank(operation, capacity(operation, sizes, ranks)).measure(sizes, checked,
                    System.out::println);
            }
        }
        MPI.Finalize();
    }

    private static long capacity(BenchOperation operation, List<Long> sizes, int ranks) {
        long most = 0;
        for (long size : sizes) {
            most = Math.max(most, 4L * ranks * (block(operation, size, ranks) / 4 + 1));
        }
        return most;
    }

    /**
     * Converts a size as NCCL's benchmarks count it (everything that ranks gather, scatter or exchange) into bytes as
     * {@link BenchCalls} counts them.
     */
    public static long block(BenchOperation operation, long size, int ranks) {
        boolean divided = operation.sendBytes(1, 2) == 2 || operation.recvBytes(1, 2) == 2;
        long bytes =
            divided ? Math.max(4, size / ranks / 4 * 4) : operation.reduces() ? Math.max(4, size / 4 * 4) : size;
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                size + " bytes do not fit the count of a call; give sizes below 2 GiB");
        }
        return bytes;
    }

    private void measure(List<Long> sizes, boolean checked, Consumer<String> lines) throws MPIException {
        Intracomm comm = operation.communicator(world);
        BenchBuffers buffers = new BenchBuffers(send.at(0), recv.at(0), null, null);
        for (int i = 0; i < sizes.size(); i++) {
            long size = sizes.get(i);
            int bytes = (int) block(operation, size, ranks);
            BenchCalls calls = new BenchCalls(comm, operation, buffers, bytes);
            int iterations = bytes <= 1 << 20 ? 400 : bytes <= 64 << 20 ? 40 : 12;
            boolean message = operation.pointToPoint();
            timing.warmUp(message ? () -> calls.time(16) : calls::call, message ? 1 : 5,
                i == 0 ? WARM_NANOS : WARM_SIZE_NANOS);
            double slowest = timing.slowest(
                message ? calls.time(iterations) : Timing.median(timing.each(calls::call, iterations))) / 1000;
            if (checked && !message) {
                check(() -> calls.time(1), bytes, size, calls::algorithm);
            } else if (!message) {
                calls.time(1); // sets the name of the algorithm that ran
            }
            String streams = onStreams(comm, bytes, size, i == 0 ? WARM_NANOS : 0, checked);
            if (rank == 0) {
                lines.accept(operation.key() + "," + ranks + "," + size + "," + calls.algorithm() + ","
                    + String.format(Locale.ROOT, "%.3f", slowest) + "," + streams);
            }
        }
        send.close();
        recv.close();
    }

    /**
     * The slowest rank's times on a stream and in a graph, as two CSV fields. They are empty if there is no such call
     * or it cannot be made here.
     */
    private String onStreams(Intracomm comm, int bytes, long size, long warm, boolean checked) throws MPIException {
        Collective collective = operation.collective();
        int floats = collective == Collective.REDUCE_SCATTER ? bytes / 4 / ranks : bytes / 4;
        boolean whole = collective == Collective.REDUCE_SCATTER ? bytes % (4 * ranks) == 0 : bytes % 4 == 0;
        if (collective == null || !whole || floats == 0 || !QueuedCalls.serve(collective)) {
            return ",";
        }
        // Opened for each size anew, because while it is open no resident kernel serves blocking calls.
        StreamClock opened;
        try {
            opened = new StreamClock(comm, send.at(0), recv.at(0), capacity);
        } catch (MPIException e) {
            return ","; // on all ranks: the GPUs do not reach each other
        }
        try (StreamClock clock = opened) {
            int calls = bytes <= 16 << 20 ? 50 : 10;
            int rounds = bytes <= 1 << 20 ? 15 : 5;
            int[] items = {floats};
            UserCall call = new UserCall(collective, send.at(0), items, null,
                collective == Collective.BCAST ? send.at(0) : recv.at(0), items, null, MPI.FLOAT, MPI.SUM, 0, false);
            clock.warmUp(call, warm);
            double stream = timing.slowest(clock.stream(call, calls, rounds));
            if (checked) {
                check(() -> clock.once(call), bytes, size, () -> "a call on a stream");
            }
            double graph = timing.slowest(clock.graph(call, calls, rounds));
            if (checked) {
                check(() -> clock.graph(call, 1, 1), bytes, size, () -> "calls in a graph");
            }
            return String.format(Locale.ROOT, "%.3f,%.3f", stream, graph);
        }
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

    /** Makes one more call, into poisoned memory, and checks its result. */
    private void check(Timing.Call call, int bytes, long size, Supplier<String> algorithm) throws MPIException {
        boolean bcast = operation.collective() == Collective.BCAST;
        TrialMemory out = bcast ? send : recv;
        if (!bcast || rank != 0) {
            out.fill((byte) 0xa5);
        }
        world.barrier(); // a call on a stream does not synchronise ranks: wait until all have poisoned their memory
        call.run();
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

    /** How many floats of the result this rank checks. */
    private long resultFloats(int bytes) {
        int floats = bytes / 4;
        return operation.collective() == Collective.REDUCE_SCATTER ? floats / ranks + (rank < floats % ranks ? 1 : 0)
            : (long) definition.blocks() * floats;
    }

    private float expected(long index, int bytes) {
        long floats = bytes / 4;
        int block = (int) (index / floats);
        long first = definition.block(block) * floats;
        if (operation.collective() == Collective.REDUCE_SCATTER) {
            first = rank * (floats / ranks) + Math.min(rank, floats % ranks);
        }
        int source = definition.source(block);
        float sum = 0;
        for (int i = 0; i < definition.terms(); i++) {
            sum += value(source + i, first + index % floats);
        }
        return sum;
    }
}

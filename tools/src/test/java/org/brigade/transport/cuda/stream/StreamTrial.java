package org.brigade.transport.cuda.stream;

import static org.brigade.transport.cuda.Driver.allocate;
import static org.brigade.transport.cuda.Driver.ok;

import java.util.Random;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import mpi.MPI;
import mpi.MPIException;
import mpi.spi.Collective;
import org.brigade.cli.device.QueuedCalls;
import org.brigade.verify.IntSums;
import org.brigade.transport.cuda.Driver;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.verify.SampleCall;

/**
 * What one rank of {@link StreamCallsTest} runs: every collective, and calls that follow each other in graphs, on
 * several streams and among blocking ones.
 */
public final class StreamTrial extends StreamRank {
    /** Of packets, of packets in pieces, and of copies in pieces where buffers are not registered. */
    private static final int[] COUNTS = {1, 5, 1000, 70_001, 600_003};
    private static final int MOST = 600_003;

    private StreamTrial() throws MPIException {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        Driver.enter(MPI.COMM_WORLD.getRank() % CudaDriver.devices());
        StreamRank trial = switch (arguments[0]) {
            case "crowd" -> new StreamCrowd();
            case "mistakes", "streams-that-go", "lost", "lost-replaying", "lost-untold" -> new StreamFaults();
            default -> new StreamTrial();
        };
        trial.run(arguments[0]);
        trial.streams.close();
        MPI.Finalize();
        if (trial.rank == 0) {
            System.out.println("all is well");
        }
    }

    @Override
    void run(String trial) throws MPIException {
        switch (trial) {
            case "registered" -> collectives(true);
            case "unregistered" -> collectives(false);
            case "graphs" -> graphs();
            case "order" -> order();
            case "mixed" -> mixed();
            case "mapped-twice" -> mappedTwice();
            case "lists" -> lists();
            case "neighbours" -> StreamNeighbours.run(this);
            default -> throw new IllegalArgumentException(trial);
        }
    }

    /** Every collective, in place and not, at an offset that no word is aligned to more than need be. */
    private void collectives(boolean registered) throws MPIException {
        long bytes = 4L * (ranks * MOST + 64);
        CUdeviceptr first = allocate(bytes);
        CUdeviceptr second = allocate(bytes);
        if (registered) {
            streams.register(first, bytes);
            streams.register(second, bytes);
        }
        for (int count : COUNTS) {
            for (int skip : new int[] {0, 12}) {
                collectives(first.withByteOffset(skip), second.withByteOffset(skip + 4), count);
            }
        }
        streams.allReduce(first, second, 0, MPI.INT, MPI.SUM, stream);
        streams.check();
        if (registered) {
            streams.deregister(second);
            streams.deregister(first);
            streams.register(second, 4 << 10); // and again, in another shape
        }
        collectives(first, second, 100);
    }

    private void collectives(CUdeviceptr send, CUdeviceptr recv, int count) throws MPIException {
        for (Collective collective : Collective.values()) {
            boolean served = QueuedCalls.serve(collective) && !collective.amongNeighbours();
            for (int root = 0; served && root < (collective.rooted ? ranks : 1); root++) {
                call(new SampleCall(collective, ranks, root, count, 0, false, true), send, recv);
                if (collective != Collective.BCAST) {
                    call(new SampleCall(collective, ranks, root, count, 0, true, true), send, recv);
                }
            }
        }
        // An allgather whose send buffer is the whole receive buffer is in place, too.
        SampleCall gather = new SampleCall(Collective.ALLGATHER, ranks, -1, count, 0, true, true);
        seed++;
        write(recv.withByteOffset(4L * rank * count), data(rank, count));
        streams.allGather(recv, recv, count, MPI.INT, stream);
        check(gather, "by the buffer's beginning", recv, new int[ranks * count]);
    }

    private void call(SampleCall call, CUdeviceptr send, CUdeviceptr recv) throws MPIException {
        seed++;
        boolean inPlace = call.inReceiveBuffer(rank) || call.inPlace();
        Collective collective = call.collective();
        int count = call.count();
        int[] mine = data(rank, call.items(call.sent(rank)));
        // One item more than the call may write.
        int[] before = data(rank + ranks, call.items(call.received(rank)) + (inPlace ? 0 : 1));
        CUdeviceptr from = collective == Collective.ALLGATHER && inPlace
            ? recv.withByteOffset(4L * call.ownPlace(rank)) : collective == Collective.BCAST || inPlace ? recv : send;
        // What a reduce-scatter in place gives stands where this rank's block stood.
        CUdeviceptr to = collective == Collective.REDUCE_SCATTER && inPlace
            ? recv.withByteOffset(4L * rank * count) : recv;
        write(recv, before);
        if (collective != Collective.BCAST || rank == call.root()) {
            write(from, mine);
        }
        if (collective == Collective.REDUCE && call.inPlace()) {
            before = mine;
        }
        switch (collective) {
            case BCAST -> streams.bcast(recv, count, MPI.INT, call.root(), stream);
            case REDUCE -> streams.reduce(from, rank == call.root() ? to : null, count, MPI.INT, MPI.SUM, call.root(),
                stream);
            case ALLREDUCE -> streams.allReduce(from, to, count, MPI.INT, MPI.SUM, stream);
            case ALLGATHER -> streams.allGather(from, to, count, MPI.INT, stream);
            case REDUCE_SCATTER -> streams.reduceScatterBlock(from, to, count, MPI.INT, MPI.SUM, stream);
            default -> streams.allToAll(from, to, count, MPI.INT, stream);
        }
        check(call, "", to, before);
    }

    /** @param before what the result is written over */
    private void check(SampleCall call, String how, CUdeviceptr result, int[] before) {
        IntSums.put(call, rank, source -> data(source, call.items(call.sent(source))), before);
        same(call + how, read(result, before.length), 0, before, 0, before.length);
    }

    /** Graphs of calls replayed, in turn with calls that are not in graphs. */
    /**
     * Many short vectors at odd places, more of them than the staging memory holds, and one that is reduced by itself.
     * {@link StreamCallsTest} lets fewer launches succeed than there are vectors.
     */
    private void lists() throws MPIException {
        int number = 70;
        int most = 230_000;
        CUdeviceptr memory = allocate(4L * number * (most + 5));
        CUdeviceptr[] buffers = new CUdeviceptr[number];
        int[] counts = new int[number];
        for (int round = 0; round < 6; round++) {
            seed++;
            CUgraphExec replayed = null;
            for (int i = 0; i < number; i++) {
                buffers[i] = memory.withByteOffset(4L * (i * (most + 5) + i % 4));
                counts[i] = i == 50 ? 300_000 : round == 3 && i < 30 ? most - i : i % 7 == 0 ? 0 : 1 + i * round;
            }
            for (int i = 0; i < number; i++) {
                if (i != 51) { // the long one reaches into its place
                    write(buffers[i], shifted(data(rank, counts[i]), i));
                }
            }
            counts[51] = 0;
            if (round == 5) {
                ok(JCudaDriver.cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL));
            }
            streams.allReduce(buffers, counts, MPI.INT, MPI.SUM, stream);
            if (round == 5) {
                CUgraph graph = new CUgraph();
                ok(JCudaDriver.cuStreamEndCapture(stream, graph));
                replayed = new CUgraphExec();
                ok(JCudaDriver.cuGraphInstantiate(replayed, graph, 0));
                ok(JCudaDriver.cuGraphLaunch(replayed, stream));
            }
            for (int i = 0; i < number; i++) {
                int[] wanted = shifted(sum(counts[i]), ranks * i);
                same("vector " + i + " in round " + round, read(buffers[i], counts[i]), 0, wanted, 0, counts[i]);
            }
        }
        refused("pass a count for each buffer",
            () -> streams.allReduce(buffers, new int[3], MPI.INT, MPI.SUM, stream));
        refused("host memory", () -> streams.allReduce(new Pointer[] {Pointer.to(counts)}, new int[] {3}, MPI.INT,
            MPI.SUM, stream));
    }

    private static int[] shifted(int[] values, int by) {
        for (int i = 0; i < values.length; i++) {
            values[i] += by;
        }
        return values;
    }

    private void graphs() throws MPIException {
        memoryFirstUsedInCapture(CUstream_flags.CU_STREAM_NON_BLOCKING);
        memoryFirstUsedInCapture(CUstream_flags.CU_STREAM_DEFAULT);
        CUdeviceptr registered = allocate(4L * 4 * MOST);
        streams.register(registered, 4L * 4 * MOST);
        CUdeviceptr other = allocate(4L * 4 * MOST);
        for (int count : new int[] {3, 3000, MOST}) {
            for (CUdeviceptr buffer : new CUdeviceptr[] {registered, other}) {
                seed++;
                write(buffer, data(rank, count));
                ok(JCudaDriver.cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL));
                streams.allReduce(buffer, buffer, count, MPI.INT, MPI.SUM, stream);
                streams.bcast(buffer, count, MPI.INT, ranks - 1, stream);
                CUgraph graph = new CUgraph();
                ok(JCudaDriver.cuStreamEndCapture(stream, graph));
                CUgraphExec replayed = new CUgraphExec();
                ok(JCudaDriver.cuGraphInstantiate(replayed, graph, 0));
                int times = count == MOST ? 3 : 20;
                for (int i = 0; i < times; i++) {
                    ok(JCudaDriver.cuGraphLaunch(replayed, stream));
                    if (i % 3 == 2) {
                        streams.allReduce(buffer, buffer, count, MPI.INT, MPI.SUM, stream);
                    }
                }
                int[] wanted = sum(count);
                for (int i = 1; i < times + times / 3; i++) {
                    for (int item = 0; item < count; item++) {
                        wanted[item] *= ranks;
                    }
                }
                same("after " + times + " replays of " + count, read(buffer, count), 0, wanted, 0, count);
                ok(JCudaDriver.cuGraphExecDestroy(replayed));
                ok(JCudaDriver.cuGraphDestroy(graph));
            }
        }
    }

    /** Brigade learns about the buffer's memory while the strictest kind of capture forbids most calls. */
    private void memoryFirstUsedInCapture(int flags) throws MPIException {
        CUstream captured = Driver.stream(flags);
        CUdeviceptr buffer = allocate(4L * MOST);
        seed++;
        write(buffer, data(rank, MOST));
        ok(JCudaDriver.cuStreamBeginCapture(captured, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL));
        streams.allReduce(buffer, buffer, MOST, MPI.INT, MPI.SUM, captured);
        CUgraph graph = new CUgraph();
        ok(JCudaDriver.cuStreamEndCapture(captured, graph));
        CUgraphExec replayed = new CUgraphExec();
        ok(JCudaDriver.cuGraphInstantiate(replayed, graph, 0));
        ok(JCudaDriver.cuGraphLaunch(replayed, stream));
        same("memory that is first used in a capture", read(buffer, MOST), 0, sum(MOST), 0, MOST);
    }

    /** Calls on many streams that are one long computation, kept in order by the communicator alone. */
    private void order() throws MPIException {
        int count = 3000;
        CUdeviceptr registered = allocate(4L * count);
        streams.register(registered, 4L * count);
        CUdeviceptr other = allocate(4L * MOST);
        CUstream[] many = {stream, Driver.stream(CUstream_flags.CU_STREAM_NON_BLOCKING),
            Driver.stream(CUstream_flags.CU_STREAM_DEFAULT), null};
        for (CUdeviceptr buffer : new CUdeviceptr[] {registered, other}) {
            int length = buffer == other ? MOST : count;
            seed++;
            write(buffer, data(rank, length));
            int times = length == MOST ? 6 : 40;
            for (int i = 0; i < times; i++) {
                streams.allReduce(buffer, buffer, length, MPI.INT, MPI.SUM, many[(i * 7 + i / 4) % many.length]);
            }
            streams.bcast(buffer, length, MPI.INT, 0, stream);
            int[] wanted = sum(length);
            for (int i = 1; i < times; i++) {
                for (int item = 0; item < length; item++) {
                    wanted[item] *= ranks;
                }
            }
            same("after " + times + " calls on " + many.length + " streams", read(buffer, length), 0, wanted, 0,
                length);
        }
    }

    /** What blocking calls have mapped stays mapped when a registration of the same memory ends. */
    private void mappedTwice() throws MPIException {
        int count = 3000;
        CUdeviceptr buffer = allocate(4L * count);
        for (int turn = 0; turn < 3; turn++) {
            if (turn > 0) {
                streams.register(buffer, 4L * count);
                seed++;
                write(buffer, data(rank, count));
                streams.allReduce(buffer, buffer, count, MPI.INT, MPI.SUM, stream);
                same("allReduce on a stream", read(buffer, count), 0, sum(count), 0, count);
                streams.deregister(buffer);
            }
            seed++;
            write(buffer, data(rank, count));
            MPI.COMM_WORLD.allReduce(buffer, count, MPI.INT, MPI.SUM);
            same("blocking allReduce, registrations before: " + turn, read(buffer, count), 0, sum(count), 0, count);
        }
    }

    /** Blocking calls behind calls that are still on their way, and before others, of all kinds of kernels. */
    private void mixed() throws MPIException {
        int most = 40_000;
        CUdeviceptr first = allocate(4L * ranks * most);
        CUdeviceptr second = allocate(4L * ranks * most);
        streams.register(first, 4L * ranks * most);
        Random sizes = new Random(11);
        for (int turn = 0; turn < 40; turn++) {
            int count = 1 + sizes.nextInt(turn % 2 == 0 ? 300 : most - 1);
            seed++;
            write(first, data(rank, count));
            write(second, data(rank, count));
            for (int i = 0; i < 3; i++) {
                streams.allReduce(first, first, count, MPI.INT, MPI.SUM, stream);
            }
            if (rank == turn % ranks) {
                Thread.yield();
            }
            MPI.COMM_WORLD.allReduce(second, count, MPI.INT, MPI.SUM);
            MPI.COMM_WORLD.bcast(second, count, MPI.INT, turn % ranks);
            streams.reduce(second, rank == 0 ? second : null, count, MPI.INT, MPI.MAX, 0, stream);
            int[] wanted = sum(count);
            same("blocking allReduce of " + count, read(second, count), 0, wanted, 0, count);
            for (int item = 0; item < count; item++) {
                wanted[item] *= ranks * ranks;
            }
            same("allReduce on a stream of " + count, read(first, count), 0, wanted, 0, count);
        }
    }
}

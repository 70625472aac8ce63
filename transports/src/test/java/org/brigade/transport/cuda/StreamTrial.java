package org.brigade.transport.cuda;

import static org.brigade.transport.cuda.Driver.allocate;
import static org.brigade.transport.cuda.Driver.ok;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.cuda.StreamCommunicator;

/** What one rank of {@link StreamCallsTest} runs. Ints, whose sums wrap around, so that any order of adding gives the same. */
public final class StreamTrial {
    /** Of packets, of packets in pieces, and of copies in pieces where buffers are not registered. */
    private static final int[] COUNTS = {1, 5, 1000, 70_001, 600_003};
    private static final int MOST = 600_003;

    private final int rank = MPI.COMM_WORLD.getRank();
    private final int ranks = MPI.COMM_WORLD.getSize();
    private final StreamCommunicator streams = StreamCommunicator.open(MPI.COMM_WORLD);
    private final CUstream stream = Driver.stream(CUstream_flags.CU_STREAM_NON_BLOCKING);
    private int seed;

    private StreamTrial() throws MPIException {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        Driver.enter(MPI.COMM_WORLD.getRank() % CudaDriver.devices());
        StreamTrial trial = new StreamTrial();
        switch (arguments[0]) {
            case "registered" -> trial.collectives(true);
            case "unregistered" -> trial.collectives(false);
            case "graphs" -> trial.graphs();
            case "order" -> trial.order();
            case "mixed" -> trial.mixed();
            case "crowd" -> trial.crowd();
            case "mistakes" -> trial.mistakes();
            case "streams-that-go" -> trial.streamsThatGo();
            case "lost" -> trial.lost(Losing.WAITED_FOR);
            case "lost-replaying" -> trial.lost(Losing.REPLAYING);
            case "lost-untold" -> trial.lost(Losing.UNTOLD);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        trial.streams.close();
        MPI.Finalize();
        if (trial.rank == 0) {
            System.out.println("all is well");
        }
    }

    // ---- data ----

    private int[] data(int owner, int count) {
        return new Random(seed * 31L + owner).ints(count).toArray();
    }

    private static void write(CUdeviceptr target, int[] values) {
        ok(JCudaDriver.cuMemcpyHtoD(target, Pointer.to(values), 4L * values.length));
    }

    /** Behind what is on the stream. */
    private int[] read(CUdeviceptr source, int count) {
        ok(JCudaDriver.cuStreamSynchronize(stream));
        return Driver.ints(source, count);
    }

    private int[] sum(int count) {
        int[] sum = new int[count];
        for (int peer = 0; peer < ranks; peer++) {
            int[] theirs = data(peer, count);
            for (int i = 0; i < count; i++) {
                sum[i] += theirs[i];
            }
        }
        return sum;
    }

    private void same(String what, int[] got, int at, int[] wanted, int from, int count) {
        for (int i = 0; i < count; i++) {
            if (got[at + i] != wanted[from + i]) {
                throw new AssertionError(what + " on rank " + rank + ": item " + (at + i) + " is " + got[at + i] + ", wanted " + wanted[from + i]);
            }
        }
    }

    // ---- trials ----

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
        allReduce(send, recv, count);
        for (int root = 0; root < ranks; root++) {
            bcast(send, count, root);
            reduce(send, recv, count, root);
        }
        allGather(send, recv, count);
        reduceScatter(send, recv, count);
        allToAll(send, recv, count);
    }

    private void allReduce(CUdeviceptr send, CUdeviceptr recv, int count) throws MPIException {
        seed++;
        write(send, data(rank, count));
        streams.allReduce(send, recv, count, MPI.INT, MPI.SUM, stream);
        same("allReduce of " + count, read(recv, count), 0, sum(count), 0, count);
        streams.allReduce(send, send, count, MPI.INT, MPI.SUM, stream);
        same("allReduce in place of " + count, read(send, count), 0, sum(count), 0, count);
    }

    private void bcast(CUdeviceptr buffer, int count, int root) throws MPIException {
        seed++;
        write(buffer, data(rank, count + 1));
        streams.bcast(buffer, count, MPI.INT, root, stream);
        int[] got = read(buffer, count + 1);
        same("bcast of " + count + " from " + root, got, 0, data(root, count), 0, count);
        same("bcast of " + count + " from " + root, got, count, data(rank, count + 1), count, 1);
    }

    private void reduce(CUdeviceptr send, CUdeviceptr recv, int count, int root) throws MPIException {
        seed++;
        write(send, data(rank, count));
        streams.reduce(send, rank == root ? recv : null, count, MPI.INT, MPI.SUM, root, stream);
        if (rank == root) {
            same("reduce of " + count + " to " + root, read(recv, count), 0, sum(count), 0, count);
        }
        streams.reduce(send, rank == root ? send : null, count, MPI.INT, MPI.SUM, root, stream);
        int[] got = read(send, count);
        same("reduce in place of " + count + " to " + root, got, 0, rank == root ? sum(count) : data(rank, count), 0, count);
    }

    private void allGather(CUdeviceptr send, CUdeviceptr recv, int count) throws MPIException {
        seed++;
        write(send, data(rank, count));
        streams.allGather(send, recv, count, MPI.INT, stream);
        gathered("allGather", recv, count);
        for (boolean place : new boolean[] {true, false}) {
            seed++;
            CUdeviceptr own = recv.withByteOffset(4L * rank * count);
            write(own, data(rank, count));
            streams.allGather(place ? own : recv, recv, count, MPI.INT, stream);
            gathered("allGather in place", recv, count);
        }
    }

    private void gathered(String what, CUdeviceptr recv, int count) {
        int[] got = read(recv, ranks * count);
        for (int peer = 0; peer < ranks; peer++) {
            same(what + " of " + count + " from " + peer, got, peer * count, data(peer, count), 0, count);
        }
    }

    private void reduceScatter(CUdeviceptr send, CUdeviceptr recv, int count) throws MPIException {
        seed++;
        write(send, data(rank, ranks * count));
        streams.reduceScatterBlock(send, recv, count, MPI.INT, MPI.SUM, stream);
        int[] sum = sum(ranks * count);
        same("reduceScatterBlock of " + count, read(recv, count), 0, sum, rank * count, count);
        CUdeviceptr own = send.withByteOffset(4L * rank * count);
        streams.reduceScatterBlock(send, own, count, MPI.INT, MPI.SUM, stream);
        same("reduceScatterBlock of " + count + " into the own block", read(own, count), 0, sum, rank * count, count);
    }

    private void allToAll(CUdeviceptr send, CUdeviceptr recv, int count) throws MPIException {
        seed++;
        write(send, data(rank, ranks * count));
        streams.allToAll(send, recv, count, MPI.INT, stream);
        streams.allToAll(send, send, count, MPI.INT, stream);
        int[] got = read(recv, ranks * count);
        int[] placed = read(send, ranks * count);
        for (int peer = 0; peer < ranks; peer++) {
            same("allToAll of " + count + " from " + peer, got, peer * count, data(peer, ranks * count), rank * count, count);
            same("allToAll in place of " + count + " from " + peer, placed, peer * count, data(peer, ranks * count), rank * count, count);
        }
    }

    /** Graphs of calls replayed, in turn with calls that are not in graphs. */
    private void graphs() throws MPIException {
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

    /** Calls on many streams that are one long computation, kept in order by the communicator alone. */
    private void order() throws MPIException {
        int count = 3000;
        CUdeviceptr registered = allocate(4L * count);
        streams.register(registered, 4L * count);
        CUdeviceptr other = allocate(4L * MOST);
        CUstream[] many = {stream, Driver.stream(CUstream_flags.CU_STREAM_NON_BLOCKING), Driver.stream(CUstream_flags.CU_STREAM_DEFAULT), null};
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
            same("after " + times + " calls on " + many.length + " streams", read(buffer, length), 0, wanted, 0, length);
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

    /**
     * Calls of all kinds and lengths, back to back, with nobody waiting: what one leaves in scratch memory meets the next, and some ranks are a call ahead of others. Every rank knows what
     * every other has, and works it out.
     */
    private void crowd() throws MPIException {
        int most = 9000;
        int length = ranks * most;
        CUdeviceptr[] buffers = {allocate(4L * length), allocate(4L * length), allocate(4L * length)};
        int[][][] has = new int[buffers.length][ranks][];
        for (int b = 0; b < buffers.length; b++) {
            seed++;
            for (int peer = 0; peer < ranks; peer++) {
                has[b][peer] = data(peer, length);
            }
            write(buffers[b], has[b][rank]);
            if (b < 2) {
                streams.register(buffers[b], 4L * length);
            }
        }
        Random random = new Random(5);
        for (int batch = 0; batch < 12; batch++) {
            List<Mixed> calls = new ArrayList<>();
            for (int i = 0; i < 15; i++) {
                int count = 1 + random.nextInt(random.nextBoolean() ? 50 : most);
                int from = random.nextInt(buffers.length);
                int to = (from + 1 + random.nextInt(buffers.length - 1)) % buffers.length;
                boolean registered = from < 2 && to < 2; // on all ranks, or none
                calls.add(new Mixed(random.nextInt(6), registered ? from : 2, registered ? to : 2, count, random.nextInt(ranks)));
            }
            int times = batch % 4;
            if (times > 0) {
                ok(JCudaDriver.cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
            }
            for (Mixed call : calls) {
                put(call, buffers);
            }
            if (times > 0) {
                CUgraph graph = new CUgraph();
                CUgraphExec replayed = new CUgraphExec();
                ok(JCudaDriver.cuStreamEndCapture(stream, graph));
                ok(JCudaDriver.cuGraphInstantiate(replayed, graph, 0));
                for (int i = 0; i < times; i++) {
                    ok(JCudaDriver.cuGraphLaunch(replayed, stream));
                }
            }
            for (int i = 0; i < Math.max(1, times); i++) {
                for (Mixed call : calls) {
                    work(call, has[call.from], has[call.to]);
                }
            }
        }
        for (int b = 0; b < buffers.length; b++) {
            same("buffer " + b, read(buffers[b], length), 0, has[b][rank], 0, length);
        }
    }

    /** A call of a crowd: two of its buffers, or one twice. */
    private record Mixed(int kind, int from, int to, int count, int root) {
    }

    private void put(Mixed call, CUdeviceptr[] buffers) throws MPIException {
        CUdeviceptr send = buffers[call.from];
        CUdeviceptr recv = buffers[call.to];
        switch (call.kind) {
            case 0 -> streams.allReduce(send, recv, call.count, MPI.INT, MPI.SUM, stream);
            case 1 -> streams.bcast(send, call.count, MPI.INT, call.root, stream);
            case 2 -> streams.reduce(send, recv, call.count, MPI.INT, MPI.SUM, call.root, stream);
            case 3 -> streams.allGather(send, recv, call.count, MPI.INT, stream);
            case 4 -> streams.reduceScatterBlock(send, send == recv ? send.withByteOffset(4L * rank * call.count) : recv, call.count, MPI.INT, MPI.SUM, stream);
            default -> streams.allToAll(send, recv, call.count, MPI.INT, stream);
        }
    }

    /** The same on the host, for all ranks. */
    private void work(Mixed call, int[][] sent, int[][] received) {
        int count = call.count;
        boolean inPlace = call.from == call.to;
        int[] sum = new int[ranks * count];
        int[] joined = new int[ranks * count];
        int[][] before = new int[ranks][];
        for (int peer = 0; peer < ranks; peer++) {
            before[peer] = sent[peer].clone();
            for (int item = 0; item < ranks * count; item++) {
                sum[item] += sent[peer][item];
            }
        }
        for (int peer = 0; peer < ranks; peer++) {
            System.arraycopy(before[peer], inPlace ? peer * count : 0, joined, peer * count, count);
        }
        for (int peer = 0; peer < ranks; peer++) {
            switch (call.kind) {
                case 0 -> System.arraycopy(sum, 0, received[peer], 0, count);
                case 1 -> System.arraycopy(before[call.root], 0, sent[peer], 0, count);
                case 2 -> System.arraycopy(sum, 0, received[peer], 0, peer == call.root ? count : 0);
                case 3 -> System.arraycopy(joined, 0, received[peer], 0, ranks * count);
                case 4 -> System.arraycopy(sum, peer * count, received[peer], inPlace ? peer * count : 0, count);
                default -> {
                    for (int source = 0; source < ranks; source++) {
                        System.arraycopy(before[source], peer * count, received[peer], source * count, count);
                    }
                }
            }
        }
    }

    private interface Mistaken {
        void call() throws MPIException;
    }

    private static void refused(String words, Mistaken mistake) {
        try {
            mistake.call();
        } catch (MPIException e) {
            if (!e.getMessage().contains(words)) {
                throw new AssertionError("the message is " + e.getMessage());
            }
            return;
        }
        throw new AssertionError("no error, wanted: " + words);
    }

    private void mistakes() throws MPIException {
        CUdeviceptr buffer = allocate(4096);
        CUdeviceptr other = allocate(4096);
        refused("it is open already", () -> StreamCommunicator.open(MPI.COMM_WORLD));
        refused("needs 4100 bytes", () -> streams.bcast(buffer, 1025, MPI.INT, 0, stream));
        refused("root 9 is no rank", () -> streams.bcast(buffer, 4, MPI.INT, 9, stream));
        refused("count -1 is negative", () -> streams.bcast(buffer, -1, MPI.INT, 0, stream));
        refused("recvbuf is null", () -> streams.allReduce(buffer, null, 4, MPI.INT, MPI.SUM, stream));
        refused("is host memory", () -> streams.bcast(Pointer.to(new int[4]), 4, MPI.INT, 0, stream));
        refused("is not defined on", () -> streams.allReduce(buffer, other, 4, MPI.FLOAT, MPI.BAND, stream));
        refused("at multiples of 8 bytes only", () -> streams.allReduce(buffer.withByteOffset(4), other, 4, MPI.DOUBLE, MPI.SUM, stream));
        refused("is not this rank's block there", () -> streams.reduceScatterBlock(buffer, buffer.withByteOffset(4), 4, MPI.INT, MPI.SUM, stream));
        refused("register the same length everywhere", () -> streams.register(buffer, 1024 + 16 * rank));
        refused("is in no live allocation", () -> streams.register(new CUdeviceptr().withByteOffset(64), 16));
        refused("rank 0:", () -> {
            if (rank == 0) {
                refused("no memory is registered", () -> streams.deregister(other));
                throw new MPIException("rank 0:");
            }
            streams.register(buffer, 1024); // no match for rank 0's call, but both are told
        });
        streams.register(buffer, 1024);
        refused("are registered already", () -> streams.register(buffer.withByteOffset(512), 1024));
        refused("only in part", () -> streams.bcast(buffer.withByteOffset(512), 256, MPI.INT, 0, stream));
        streams.deregister(buffer);
        seed++;
        write(buffer, data(rank, 100));
        streams.allReduce(buffer, buffer, 100, MPI.INT, MPI.SUM, stream);
        same("the call behind them", read(buffer, 100), 0, sum(100), 0, 100);
        Comm twin = MPI.COMM_WORLD.dup();
        StreamCommunicator second = StreamCommunicator.open(twin);
        second.close();
        second.close();
        refused("has been closed", second::check);
        StreamCommunicator third = StreamCommunicator.open(twin);
        if (rank == 0) {
            third.allReduce(buffer, buffer, 100, MPI.INT, MPI.SUM, stream); // and nobody else
        }
        twin.free();
        ok(JCudaDriver.cuStreamSynchronize(stream));
        refused("has been closed", third::check);
    }

    /** So many calls that the last ones do not tell of their end; then their stream goes, since check has asked it. */
    private void streamsThatGo() throws MPIException {
        int count = 100;
        CUdeviceptr buffer = allocate(4L * count);
        streams.register(buffer, 4L * count);
        for (int turn = 0; turn < 6; turn++) {
            CUstream passing = Driver.stream(CUstream_flags.CU_STREAM_NON_BLOCKING);
            seed++;
            write(buffer, data(rank, count));
            int calls = 1 + turn * 7;
            for (int i = 0; i < calls; i++) {
                streams.allReduce(buffer, buffer, count, MPI.INT, MPI.SUM, passing);
            }
            ok(JCudaDriver.cuStreamSynchronize(passing));
            streams.check();
            ok(JCudaDriver.cuStreamDestroy(passing));
            int[] wanted = sum(count);
            for (int i = 1; i < calls; i++) {
                for (int item = 0; item < count; item++) {
                    wanted[item] *= ranks;
                }
            }
            same("after " + calls + " calls on a stream that is no more", Driver.ints(buffer, count), 0, wanted, 0, count);
            if (turn % 2 == 0) {
                MPI.COMM_WORLD.allReduce(buffer, count, MPI.INT, MPI.SUM);
            }
        }
    }

    private enum Losing { WAITED_FOR, REPLAYING, UNTOLD }

    /** Rank 1 is killed while the others' calls wait for it. Their streams end, and the next call says why. */
    private void lost(Losing how) throws Exception {
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        CUdeviceptr buffer = allocate(4096);
        streams.register(buffer, 4096);
        CUgraph graph = new CUgraph();
        CUgraphExec replayed = new CUgraphExec();
        ok(JCudaDriver.cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
        streams.allReduce(buffer, buffer, 1000, MPI.INT, MPI.SUM, stream);
        ok(JCudaDriver.cuStreamEndCapture(stream, graph));
        ok(JCudaDriver.cuGraphInstantiate(replayed, graph, 0));
        ok(JCudaDriver.cuGraphLaunch(replayed, stream));
        streams.allReduce(buffer, buffer, 1000, MPI.INT, MPI.SUM, stream);
        ok(JCudaDriver.cuStreamSynchronize(stream));
        MPI.COMM_WORLD.barrier();
        if (how == Losing.UNTOLD) {
            Thread.sleep(10);
            streams.allReduce(buffer, buffer, 1000, MPI.INT, MPI.SUM, stream); // tells of its end, as it comes late; the one behind it does not
        }
        if (rank == 1) {
            ok(JCudaDriver.cuStreamSynchronize(stream));
            for (int peer = 0; peer < ranks; peer += 2) {
                MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, peer, 0);
            }
            Thread.sleep(100);
            Runtime.getRuntime().halt(137);
        }
        if (how == Losing.REPLAYING) {
            ok(JCudaDriver.cuGraphLaunch(replayed, stream));
        } else {
            streams.allReduce(buffer, buffer, 1000, MPI.INT, MPI.SUM, stream);
            streams.allReduce(buffer, buffer, 1000, MPI.INT, MPI.SUM, stream);
        }
        MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, 1, 0); // a call that comes after rank 1's death may be refused
        ok(JCudaDriver.cuStreamSynchronize(stream)); // hangs if the kernel spins on
        refused("rank 1", streams::check);
        refused("rank 1", () -> streams.bcast(buffer, 10, MPI.INT, 0, stream));
        streams.close();
        System.out.println("rank " + rank + " has ended its work");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}

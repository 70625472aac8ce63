package org.brigade.transport.cuda.stream;

import static org.brigade.transport.cuda.Driver.allocate;
import static org.brigade.transport.cuda.Driver.ok;

import java.util.Random;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.transport.cuda.Driver;
import org.brigade.transport.cuda.driver.CudaDriver;

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
        same("reduce in place of " + count + " to " + root, got, 0, rank == root ? sum(count) : data(rank, count), 0,
            count);
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
            same("allToAll of " + count + " from " + peer, got, peer * count, data(peer, ranks * count), rank * count,
                count);
            same("allToAll in place of " + count + " from " + peer, placed, peer * count, data(peer, ranks * count),
                rank * count, count);
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

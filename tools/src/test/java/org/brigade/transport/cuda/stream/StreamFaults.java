package org.brigade.transport.cuda.stream;

import static org.brigade.transport.cuda.Driver.allocate;
import static org.brigade.transport.cuda.Driver.ok;

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
import org.brigade.transport.cuda.Driver;

/** Calls on streams that are wrong, whose streams go, or whose ranks do. */
final class StreamFaults extends StreamRank {
    StreamFaults() throws MPIException {
    }

    @Override
    void run(String trial) throws Exception {
        switch (trial) {
            case "mistakes" -> mistakes();
            case "streams-that-go" -> streamsThatGo();
            case "lost" -> lost(Losing.WAITED_FOR);
            case "lost-replaying" -> lost(Losing.REPLAYING);
            case "lost-untold" -> lost(Losing.UNTOLD);
            default -> throw new IllegalArgumentException(trial);
        }
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
        refused("at multiples of 8 bytes only",
            () -> streams.allReduce(buffer.withByteOffset(4), other, 4, MPI.DOUBLE, MPI.SUM, stream));
        refused("is not this rank's block there",
            () -> streams.reduceScatterBlock(buffer, buffer.withByteOffset(4), 4, MPI.INT, MPI.SUM, stream));
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
        for (int turn = 0; turn < 60; turn++) {
            CUstream passing = Driver.stream(CUstream_flags.CU_STREAM_NON_BLOCKING);
            seed++;
            write(buffer, data(rank, count));
            int calls = 1 + turn % 6 * 7;
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
            same("after " + calls + " calls on a stream that is no more", Driver.ints(buffer, count), 0, wanted, 0,
                count);
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
            streams.allReduce(buffer, buffer, 1000, MPI.INT, MPI.SUM, stream); // tells of its end, as it comes late;
                                                                               // the one behind it does not
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

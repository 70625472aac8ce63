package org.brigade.cli.device;

import jcuda.Pointer;
import jcuda.driver.CUevent;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import mpi.Comm;
import mpi.MPIException;
import mpi.spi.Collective;
import org.brigade.algorithm.catalogue.StreamCatalogue;
import org.brigade.cli.shared.UserCall;
import org.brigade.cuda.StreamCommunicator;
import org.brigade.transport.cuda.driver.CudaResult;

/**
 * Collectives on a stream, each waited for: for the verifier, which is a program like a user's. Collective: all ranks
 * open, use and close it.
 */
public final class QueuedCalls implements AutoCloseable {
    private final StreamCommunicator streams;
    private final CUstream stream = new CUstream();
    private final boolean inGraphs;

    /** @param inGraphs whether {@link #run} captures each call into a graph, which it launches once */
    public QueuedCalls(Comm comm, boolean inGraphs) throws MPIException {
        this.inGraphs = inGraphs;
        streams = StreamCommunicator.open(comm);
        CudaResult.check(JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    }

    /** Whether the collective can be called on streams. */
    public static boolean serve(Collective collective) {
        return StreamCatalogue.serves(collective);
    }

    /** Registers a buffer, a pointer to device memory. */
    public void register(Object memory, long bytes) throws MPIException {
        streams.register((Pointer) memory, bytes);
    }

    /** Puts a call on the stream. */
    public void enqueue(UserCall call) throws MPIException {
        Pointer send = (Pointer) call.send();
        Pointer recv = (Pointer) call.recv();
        int count = call.sent()[0];
        Pointer from = call.inPlace() && call.collective() != Collective.REDUCE ? recv : send;
        switch (call.collective()) {
            case BCAST -> streams.bcast(recv, count, call.type(), call.root(), stream);
            case REDUCE -> streams.reduce(from, recv, count, call.type(), call.op(), call.root(), stream);
            case ALLREDUCE -> streams.allReduce(from, recv, count, call.type(), call.op(), stream);
            case ALLGATHER -> streams.allGather(from, recv, count, call.type(), stream);
            case REDUCE_SCATTER -> streams.reduceScatterBlock(from, recv, count, call.type(), call.op(), stream);
            case ALLTOALL -> streams.allToAll(from, recv, count, call.type(), stream);
            case NEIGHBOR_ALLGATHER -> streams.neighborAllGather(from, recv, count, call.type(), stream);
            case NEIGHBOR_ALLTOALL -> streams.neighborAllToAll(from, recv, count, call.type(), stream);
            default -> throw new IllegalArgumentException(call.collective().key());
        }
    }

    /** Makes a call and waits for it. */
    public void run(UserCall call) throws MPIException {
        if (!inGraphs) {
            enqueue(call);
            synchronize();
            return;
        }
        CUgraphExec graph = capture(call, 1);
        launch(graph);
        synchronize();
        JCudaDriver.cuGraphExecDestroy(graph);
    }

    /** A graph of so many of these calls; the caller destroys it. */
    public CUgraphExec capture(UserCall call, int calls) throws MPIException {
        CUgraph graph = new CUgraph();
        CUgraphExec made = new CUgraphExec();
        CudaResult.check(
            JCudaDriver.cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
            "cuStreamBeginCapture");
        try {
            for (int i = 0; i < calls; i++) {
                enqueue(call);
            }
        } finally {
            // A refused call must not leave the stream capturing.
            CudaResult.check(JCudaDriver.cuStreamEndCapture(stream, graph), "cuStreamEndCapture");
        }
        CudaResult.check(JCudaDriver.cuGraphInstantiate(made, graph, 0), "cuGraphInstantiate");
        JCudaDriver.cuGraphDestroy(graph);
        return made;
    }

    public void launch(CUgraphExec graph) {
        CudaResult.check(JCudaDriver.cuGraphLaunch(graph, stream), "cuGraphLaunch");
    }

    /** Notes when the stream comes here. */
    public void record(CUevent event) {
        CudaResult.check(JCudaDriver.cuEventRecord(event, stream), "cuEventRecord");
    }

    /** Waits for all calls. */
    public void synchronize() throws MPIException {
        CudaResult.check(JCudaDriver.cuStreamSynchronize(stream), "cuStreamSynchronize");
        streams.check();
    }

    @Override
    public void close() throws MPIException {
        streams.close();
        JCudaDriver.cuStreamDestroy(stream);
    }
}

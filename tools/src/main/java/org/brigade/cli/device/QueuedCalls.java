package org.brigade.cli.device;

import jcuda.Pointer;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import mpi.Comm;
import mpi.Datatype;
import mpi.MPIException;
import mpi.Op;
import mpi.spi.Collective;
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

    /** @param inGraphs whether each call is captured into a graph, which is then launched once */
    public QueuedCalls(Comm comm, boolean inGraphs) throws MPIException {
        this.inGraphs = inGraphs;
        streams = StreamCommunicator.open(comm);
        CudaResult.check(JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    }

    /** Whether the collective can be called on streams. */
    public static boolean serve(Collective collective) {
        return switch (collective) {
            case BCAST, REDUCE, ALLREDUCE, ALLGATHER, REDUCE_SCATTER, ALLTOALL -> true;
            default -> false;
        };
    }

    /** Registers a buffer, a pointer to device memory. */
    public void register(Object memory, long bytes) throws MPIException {
        streams.register((Pointer) memory, bytes);
    }

    public void bcast(Object buf, int count, Datatype type, int root) throws MPIException {
        run(() -> streams.bcast((Pointer) buf, count, type, root, stream));
    }

    public void reduce(Object send, Object recv, int count, Datatype type, Op op, int root) throws MPIException {
        run(() -> streams.reduce((Pointer) send, (Pointer) recv, count, type, op, root, stream));
    }

    public void allReduce(Object send, Object recv, int count, Datatype type, Op op) throws MPIException {
        run(() -> streams.allReduce((Pointer) send, (Pointer) recv, count, type, op, stream));
    }

    public void allGather(Object send, Object recv, int count, Datatype type) throws MPIException {
        run(() -> streams.allGather((Pointer) send, (Pointer) recv, count, type, stream));
    }

    public void reduceScatterBlock(Object send, Object recv, int count, Datatype type, Op op) throws MPIException {
        run(() -> streams.reduceScatterBlock((Pointer) send, (Pointer) recv, count, type, op, stream));
    }

    public void allToAll(Object send, Object recv, int count, Datatype type) throws MPIException {
        run(() -> streams.allToAll((Pointer) send, (Pointer) recv, count, type, stream));
    }

    private interface Call {
        void enqueue() throws MPIException;
    }

    private void run(Call call) throws MPIException {
        if (!inGraphs) {
            call.enqueue();
            synchronize();
            return;
        }
        CUgraph graph = new CUgraph();
        CUgraphExec launched = new CUgraphExec();
        CudaResult.check(
            JCudaDriver.cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
            "cuStreamBeginCapture");
        MPIException refused = null;
        try {
            call.enqueue();
        } catch (MPIException e) {
            refused = e;
        }
        CudaResult.check(JCudaDriver.cuStreamEndCapture(stream, graph), "cuStreamEndCapture");
        if (refused == null) {
            CudaResult.check(JCudaDriver.cuGraphInstantiate(launched, graph, 0), "cuGraphInstantiate");
            CudaResult.check(JCudaDriver.cuGraphLaunch(launched, stream), "cuGraphLaunch");
            synchronize();
            JCudaDriver.cuGraphExecDestroy(launched);
        }
        JCudaDriver.cuGraphDestroy(graph);
        if (refused != null) {
            throw refused;
        }
    }

    private void synchronize() throws MPIException {
        CudaResult.check(JCudaDriver.cuStreamSynchronize(stream), "cuStreamSynchronize");
        streams.check();
    }

    @Override
    public void close() throws MPIException {
        streams.close();
        JCudaDriver.cuStreamDestroy(stream);
    }
}

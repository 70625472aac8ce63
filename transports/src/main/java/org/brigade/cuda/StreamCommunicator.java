package org.brigade.cuda;

import jcuda.Pointer;
import jcuda.driver.CUstream;
import mpi.Comm;
import mpi.Datatype;
import mpi.MPIException;
import mpi.Op;
import mpi.spi.Communicator;
import org.brigade.transport.cuda.stream.StreamCalls;

/**
 * Collectives that are put on a CUDA stream: a call enqueues its kernel and returns, without waiting for the data or
 * for other ranks. What was put on the stream before it, such as the kernel that fills its buffer, ends before it
 * begins; what is put there later sees its result. Calls may be captured into CUDA graphs, which may be replayed any
 * number of times. Not in MPI's standard; the shape is that of NCCL.
 *
 * <pre>{@code
 * try (StreamCommunicator streams = StreamCommunicator.open(MPI.COMM_WORLD)) {
 *     streams.register(gradients, bytes);
 *     backward(gradients, stream);                                            // your kernels
 *     streams.allReduce(gradients, gradients, n, MPI.FLOAT, MPI.SUM, stream);
 *     update(gradients, stream);
 *     JCudaDriver.cuStreamSynchronize(stream);
 *     streams.check();
 *     streams.deregister(gradients);
 * }
 * }</pre>
 *
 * <p>
 * <b>Order.</b> All ranks make the same calls in the same order; replaying a graph counts as making its calls. Calls
 * run on the device one after another, on whatever streams they are: a call on another stream than the last waits for
 * the last (in a capture, and around replays, that is left to the user). Blocking MPI calls on the same communicator
 * wait for what is enqueued, too, graphs excepted. While one rank's call waits for a peer it holds multiprocessors of
 * its GPU: calls of two communicators that are enqueued at once on all ranks must be in the same order on all GPUs, or
 * one may wait for multiprocessors that the other holds. One communicator a GPU, or one stream for both, is the way to
 * be sure.
 *
 * <p>
 * <b>Registered memory.</b> Kernels load from and store to the peers' buffers directly if these lie in memory that all
 * ranks have registered, at the same offset from where it begins on every rank. It is the caller's promise, and not
 * checked, that either all ranks pass registered buffers to a call, at equal offsets, or none does. Buffers that are
 * not registered go through memory of Brigade's: as fast where small, slower where large.
 *
 * <p>
 * <b>Buffers</b> are device memory of the GPU that was current at {@link #open}, streams those of its primary context;
 * null is the default stream. Counts are in items of the datatype. The buffers must live until the stream has come to
 * the call's end, registered memory until it is deregistered. A stream must live until {@link #check} behind its last
 * call here, until a call on another one, or until {@link #close}: the end of a call is not told to the host unless it
 * asks the stream.
 *
 * <p>
 * <b>Faults.</b> If a rank is lost, no kernel waits for it for ever: its peers' calls end without a result, and every
 * later call here, {@link #check} too, throws MPIException. A call that throws has enqueued nothing on this rank; where
 * others have enqueued theirs, they wait for it.
 *
 * <p>
 * Any thread may call; calls of several threads are made one after another, and it is for the threads to have the same
 * order on all ranks. Close this before the communicator is freed.
 */
public final class StreamCommunicator implements AutoCloseable {
    private final StreamCalls calls;

    private StreamCommunicator(StreamCalls calls) {
        this.calls = calls;
    }

    /**
     * Opens a communicator for calls on streams, on the GPU whose context is current in this thread. Collective. Takes
     * 16 MiB of that GPU's memory, and the 48 MiB of scratch memory that blocking calls use if there were none.
     *
     * @param comm 2 to 8 ranks of one node
     * @throws MPIException on all ranks if one cannot: no CUDA, no current context, no way from GPU to GPU, no memory;
     * or if it is open already
     */
    public static StreamCommunicator open(Comm comm) throws MPIException {
        return new StreamCommunicator(StreamCalls.open(comm.unwrap(Communicator.class)));
    }

    /**
     * Registers memory, so that calls on buffers in it need no copies. Collective: all ranks register the same number
     * of bytes.
     *
     * @param memory device memory of cuMemAlloc or cudaMalloc, from its first byte or any other multiple of 16 on;
     * bytes that are not registered yet
     * @throws MPIException on all ranks if one cannot
     */
    public void register(Pointer memory, long bytes) throws MPIException {
        calls.register(memory, bytes);
    }

    /**
     * Ends a registration, before the memory is freed. Collective. Waits for what is enqueued; graphs with calls on
     * this memory must not be launched any more.
     */
    public void deregister(Pointer memory) throws MPIException {
        calls.deregister(memory);
    }

    /** The root's {@code count} items to all. */
    public void bcast(Pointer buf, int count, Datatype type, int root, CUstream stream) throws MPIException {
        calls.bcast(buf, count, type.unwrap(), root, stream);
    }

    /**
     * The reduction of all ranks' vectors, on all ranks, with the same bits on all. In place where both buffers are
     * one.
     */
    public void allReduce(Pointer sendbuf, Pointer recvbuf, int count, Datatype type, Op op, CUstream stream)
        throws MPIException {
        calls.allReduce(sendbuf, recvbuf, count, type.unwrap(), op.unwrap(type), stream);
    }

    /**
     * The reduction of all ranks' vectors, at the root; others need no {@code recvbuf}. The root may pass one buffer
     * for both, which then lies where the others' {@code sendbuf} does.
     */
    public void reduce(Pointer sendbuf, Pointer recvbuf, int count, Datatype type, Op op, int root, CUstream stream)
        throws MPIException {
        calls.reduce(sendbuf, recvbuf, count, type.unwrap(), op.unwrap(type), root, stream);
    }

    /**
     * Every rank's {@code count} items, side by side in the order of ranks, on all.
     *
     * @param sendbuf {@code recvbuf}, or where in it this rank's items will be: they are there already
     */
    public void allGather(Pointer sendbuf, Pointer recvbuf, int count, Datatype type, CUstream stream)
        throws MPIException {
        calls.allGather(sendbuf, recvbuf, count, type.unwrap(), stream);
    }

    /**
     * Of the reduction of all ranks' vectors, {@code count} items for each rank, block {@code r} on rank {@code r}.
     * {@code recvbuf} may be this rank's block of {@code sendbuf}.
     */
    public void reduceScatterBlock(Pointer sendbuf, Pointer recvbuf, int count, Datatype type, Op op, CUstream stream)
        throws MPIException {
        calls.reduceScatterBlock(sendbuf, recvbuf, count, type.unwrap(), op.unwrap(type), stream);
    }

    /**
     * Block {@code r} of {@code count} items to rank {@code r}, from all to all. In place where both buffers are one.
     */
    public void allToAll(Pointer sendbuf, Pointer recvbuf, int count, Datatype type, CUstream stream)
        throws MPIException {
        calls.allToAll(sendbuf, recvbuf, count, type.unwrap(), stream);
    }

    /**
     * Whether all is well, after a stream was synchronised: results are good if this does not throw.
     *
     * @throws MPIException if a rank was lost
     */
    public void check() throws MPIException {
        calls.check("StreamCommunicator.check");
    }

    /**
     * Waits for what is enqueued, and ends this. Collective; graphs with calls in them must not be launched any more.
     */
    @Override
    public void close() throws MPIException {
        calls.close();
    }
}

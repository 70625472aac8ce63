package org.brigade.cuda;

import jcuda.Pointer;
import jcuda.driver.CUstream;
import mpi.Comm;
import mpi.Datatype;
import mpi.MPIException;
import mpi.Op;
import mpi.spi.Communicator;
import mpi.spi.Neighbourhood;
import org.brigade.transport.cuda.stream.StreamCalls;
import org.brigade.transport.cuda.stream.StreamOpening;

/**
 * Collectives on CUDA streams: a call enqueues its kernel and returns without waiting for data or other ranks. It
 * begins after the work that the stream had before, such as the kernel that fills its buffer; later work on the stream
 * sees its result. Calls may be captured into CUDA graphs, which may be replayed any number of times. Not in MPI's
 * standard; modelled on NCCL.
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
 * run on the device one after another, whatever their streams: a call on another stream than the last call waits for
 * that call. (In a capture, and around replays, this is left to the user.) Blocking MPI calls on the same communicator
 * also wait for enqueued calls, except those in graphs. While a call waits for a peer it holds multiprocessors of its
 * GPU. So if calls of two communicators are enqueued at once on all ranks, they must be in the same order on all GPUs;
 * else each may wait for multiprocessors that the other holds. To be safe, use one communicator a GPU, or one stream
 * for both.
 *
 * <p>
 * <b>Registered memory.</b> Kernels access the peers' buffers directly if these lie in memory that all ranks have
 * registered, at the same offset from its beginning on every rank. Either all ranks must pass registered buffers to a
 * call, at equal offsets, or none; this is not checked. Other buffers go through memory of Brigade's: as fast for short
 * calls, slower for long ones.
 *
 * <p>
 * <b>Buffers</b> are device memory of the GPU that was current at {@link #open}; streams are those of its primary
 * context; null is the default stream. Counts are in items of the datatype. A buffer must live until the stream has
 * reached the call's end, registered memory until it is deregistered. A stream must live until {@link #check} after its
 * last call here, until a call on another stream, or until {@link #close}: the host learns the end of a call only by
 * asking the stream.
 *
 * <p>
 * <b>Faults.</b> If a rank is lost, no kernel waits for it for ever: its peers' calls end without a result, and every
 * later call here, {@link #check} included, throws MPIException. A call that throws has enqueued nothing on this rank;
 * the other ranks' calls, if enqueued, wait for it.
 *
 * <p>
 * Any thread may call. Calls of several threads run one after another; the threads must keep the same order on all
 * ranks. Close this object before the communicator is freed.
 */
public final class StreamCommunicator implements AutoCloseable {
    private final Comm comm;
    private final StreamCalls calls;
    /** Null until a call asks for it. */
    private Neighbourhood neighbours;

    private StreamCommunicator(Comm comm, StreamCalls calls) {
        this.comm = comm;
        this.calls = calls;
    }

    /**
     * Opens a communicator for calls on streams, on the GPU whose context is current in this thread. Collective. Takes
     * 16 MiB of that GPU's memory, and 64 MiB of scratch memory unless blocking calls have already allocated it.
     *
     * @param comm 2 to 8 ranks of one node
     * @throws MPIException on all ranks if one cannot open it: no CUDA, no current context, GPUs that cannot reach each
     * other, no memory; or if it is open already
     */
    public static StreamCommunicator open(Comm comm) throws MPIException {
        return new StreamCommunicator(comm, StreamOpening.open(comm.unwrap(Communicator.class)));
    }

    /**
     * Registers memory, so that calls on buffers in it need no copies. Collective: all ranks register the same number
     * of bytes.
     *
     * @param memory device memory of cuMemAlloc or cudaMalloc, from its first byte or any other multiple of 16 on; none
     * of its bytes may be registered already
     * @throws MPIException on all ranks if one cannot register its memory
     */
    public void register(Pointer memory, long bytes) throws MPIException {
        calls.register(memory, bytes);
    }

    /**
     * Ends a registration, before the memory is freed. Collective. Waits for enqueued calls; graphs with calls on this
     * memory must not be launched any more.
     */
    public void deregister(Pointer memory) throws MPIException {
        calls.deregister(memory);
    }

    /** Copies the root's {@code count} items to all ranks. */
    public void bcast(Pointer buf, int count, Datatype type, int root, CUstream stream) throws MPIException {
        calls.bcast(buf, count, type.unwrap(), root, stream);
    }

    /**
     * Reduces all ranks' vectors and gives all ranks the result, with the same bits on all. In place if both buffers
     * are one.
     */
    public void allReduce(Pointer sendbuf, Pointer recvbuf, int count, Datatype type, Op op, CUstream stream)
        throws MPIException {
        calls.allReduce(sendbuf, recvbuf, count, type.unwrap(), op.unwrap(type), stream);
    }

    /**
     * Reduces several vectors in place: vector {@code i} of all ranks into vector {@code i}. Vectors of up to 1 MiB are
     * copied side by side into Brigade's memory and reduced by one launch for each 16 MiB, instead of one for each
     * vector. None needs to be registered.
     *
     * @param buffers device memory, on each rank another place if you like
     * @param counts items of each vector; the same on all ranks
     * @throws MPIException before anything is enqueued, if a buffer is too short or is no device memory
     */
    public void allReduce(Pointer[] buffers, int[] counts, Datatype type, Op op, CUstream stream)
        throws MPIException {
        calls.allReduce(buffers, counts, type.unwrap(), op.unwrap(type), stream);
    }

    /**
     * Reduces all ranks' vectors and gives the root the result; other ranks need no {@code recvbuf}. The root may pass
     * one buffer for both, which must then lie where the others' {@code sendbuf} does.
     */
    public void reduce(Pointer sendbuf, Pointer recvbuf, int count, Datatype type, Op op, int root, CUstream stream)
        throws MPIException {
        calls.reduce(sendbuf, recvbuf, count, type.unwrap(), op.unwrap(type), root, stream);
    }

    /**
     * Gives all ranks every rank's {@code count} items, side by side in rank order.
     *
     * @param sendbuf may be {@code recvbuf}, or this rank's place in it: the items are there already
     */
    public void allGather(Pointer sendbuf, Pointer recvbuf, int count, Datatype type, CUstream stream)
        throws MPIException {
        calls.allGather(sendbuf, recvbuf, count, type.unwrap(), stream);
    }

    /**
     * Reduces all ranks' vectors and gives rank {@code r} block {@code r} of {@code count} items. {@code recvbuf} may
     * be this rank's block of {@code sendbuf}.
     */
    public void reduceScatterBlock(Pointer sendbuf, Pointer recvbuf, int count, Datatype type, Op op, CUstream stream)
        throws MPIException {
        calls.reduceScatterBlock(sendbuf, recvbuf, count, type.unwrap(), op.unwrap(type), stream);
    }

    /**
     * Sends block {@code r} of {@code count} items to rank {@code r}, from all to all. In place if both buffers are
     * one.
     */
    public void allToAll(Pointer sendbuf, Pointer recvbuf, int count, Datatype type, CUstream stream)
        throws MPIException {
        calls.allToAll(sendbuf, recvbuf, count, type.unwrap(), stream);
    }

    /**
     * Sends {@code count} items to all neighbours of the communicator's topology, and receives as many from each, side
     * by side in the order of {@link Comm#neighborAllGather}. All ranks pass the same count, and {@code recvbuf} even
     * if they receive nothing.
     *
     * @throws MPIException ERR_TOPOLOGY without a topology, or if this rank has more than 32 blocks to send or receive
     */
    public void neighborAllGather(Pointer sendbuf, Pointer recvbuf, int count, Datatype type, CUstream stream)
        throws MPIException {
        calls.neighborAllGather(neighbours(), sendbuf, recvbuf, count, type.unwrap(), stream);
    }

    /**
     * As {@link #neighborAllGather}, with a block of {@code count} items of its own for each neighbour, side by side.
     */
    public void neighborAllToAll(Pointer sendbuf, Pointer recvbuf, int count, Datatype type, CUstream stream)
        throws MPIException {
        calls.neighborAllToAll(neighbours(), sendbuf, recvbuf, count, type.unwrap(), stream);
    }

    private Neighbourhood neighbours() throws MPIException {
        if (neighbours == null) {
            neighbours = comm.unwrap(Neighbourhood.class);
        }
        return neighbours;
    }

    /**
     * Checks for errors, after a stream was synchronised: results are valid if this does not throw.
     *
     * @throws MPIException if a rank was lost
     */
    public void check() throws MPIException {
        calls.check("StreamCommunicator.check");
    }

    /**
     * Waits for enqueued calls, and closes this communicator. Collective; graphs with its calls must not be launched
     * any more.
     */
    @Override
    public void close() throws MPIException {
        calls.close();
    }
}

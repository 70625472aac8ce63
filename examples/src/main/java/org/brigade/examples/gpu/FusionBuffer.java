package org.brigade.examples.gpu;

import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUdeviceptr;
import mpi.MPIException;

/**
 * Makes few large exchanges of many small ones (Sergeev and Del Balso, Horovod, 2018): tensors are packed into one
 * device buffer until the next would not fit, the buffer is exchanged as one vector, and what arrives is unpacked to
 * where the tensors were.
 *
 * <pre>
 *   tensors, as they become ready    a    bb    c    dddddddd    e
 *   buffer of 4, exchanged           [a bb c]   dddddddd         [e]      d does not fit: it goes alone, unpacked, as e
 * </pre>
 *
 * All ranks must add tensors of the same lengths in the same order. The memory of a tensor belongs to the buffer until
 * {@link #flush} has returned.
 */
final class FusionBuffer {
    /** What is done with a vector, in place: an allreduce, a bcast. */
    interface Exchange {
        void run(CUdeviceptr at, int floats) throws MPIException;
    }

    private final DeviceCopies copies;
    private final CUdeviceptr buffer;
    private final long capacity;
    private final Exchange exchange;
    private final List<Tensor> waiting = new ArrayList<>();
    private long waitingBytes;

    /**
     * @param buffer device memory for packing
     * @param capacity its length in bytes, which is the threshold: tensors longer than that are not packed; 0 packs
     * none
     */
    FusionBuffer(DeviceCopies copies, CUdeviceptr buffer, long capacity, Exchange exchange) {
        this.copies = copies;
        this.buffer = buffer;
        this.capacity = capacity;
        this.exchange = exchange;
    }

    /**
     * Takes a tensor whose values are there, or will be when the stream has got so far. Exchanges those before it if it
     * does not fit behind them.
     */
    void add(Tensor tensor) throws MPIException {
        if (waitingBytes + tensor.bytes() > capacity) {
            flush();
        }
        waiting.add(tensor);
        waitingBytes += tensor.bytes();
    }

    /**
     * Exchanges all that waits. Every tensor's new values are in place, as far as later work on the same stream can
     * see.
     */
    void flush() throws MPIException {
        if (waiting.size() == 1) {
            Tensor alone = waiting.get(0);
            copies.await();
            exchange.run(alone.at(), alone.floats());
        } else if (waiting.size() > 1) {
            exchangePacked();
        }
        waiting.clear();
        waitingBytes = 0;
    }

    private void exchangePacked() throws MPIException {
        long at = 0;
        for (Tensor tensor : waiting) {
            copies.copy(tensor.at(), buffer.withByteOffset(at), tensor.bytes());
            at += tensor.bytes();
        }
        // MPI knows nothing of our stream: what it sends must be there before it is called.
        copies.await();
        exchange.run(buffer, (int) (at / Float.BYTES));
        at = 0;
        for (Tensor tensor : waiting) {
            copies.copy(buffer.withByteOffset(at), tensor.at(), tensor.bytes());
            at += tensor.bytes();
        }
    }
}

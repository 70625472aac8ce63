package org.brigade.examples.tensors;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * Sums tensors in host memory by few allreduces: tensors of one type are packed into a buffer until the next would not
 * fit, the buffer is summed as one vector, and the sums are unpacked. A tensor that is longer than the buffer, or
 * alone, is summed where it lies.
 */
public final class HostFusion implements TensorExchange.Allreduce<HostTensor> {
    private final Intracomm comm;
    private final ByteBuffer buffer;
    private final List<HostTensor> waiting = new ArrayList<>();
    private long waitingBytes;
    private int allreduces;

    /** @param capacity of the buffer, in bytes; 0 packs nothing */
    public HostFusion(Intracomm comm, int capacity) {
        this.comm = comm;
        buffer = MPI.newByteBuffer(capacity).order(ByteOrder.nativeOrder());
    }

    @Override
    public void run(List<HostTensor> tensors) throws MPIException {
        // The sort is stable, so the order within a type stays that of all ranks.
        for (HostTensor tensor : tensors.stream().sorted(Comparator.comparing(HostTensor::type)).toList()) {
            if (!waiting.isEmpty() && (waitingBytes + tensor.bytes() > buffer.capacity()
                || !waiting.get(0).type().equals(tensor.type()))) {
                flush();
            }
            waiting.add(tensor);
            waitingBytes += tensor.bytes();
        }
        flush();
    }

    /** How many calls of MPI there have been. */
    public int allreduces() {
        return allreduces;
    }

    private void flush() throws MPIException {
        if (waiting.size() == 1) {
            sum(waiting.get(0).values(), waiting.get(0));
        } else if (waiting.size() > 1) {
            Buffer packed = waiting.get(0).values() instanceof FloatBuffer
                ? buffer.asFloatBuffer().limit((int) waitingBytes / Float.BYTES)
                : buffer.asDoubleBuffer().limit((int) waitingBytes / Double.BYTES);
            int at = 0;
            for (HostTensor tensor : waiting) {
                copy(tensor.values(), 0, packed, at, tensor.length());
                at += tensor.length();
            }
            sum(packed, waiting.get(0));
            at = 0;
            for (HostTensor tensor : waiting) {
                copy(packed, at, tensor.values(), 0, tensor.length());
                at += tensor.length();
            }
        }
        waiting.clear();
        waitingBytes = 0;
    }

    private void sum(Buffer values, HostTensor like) throws MPIException {
        comm.allReduce(values, values.limit(), like.datatype(), MPI.SUM);
        allreduces++;
    }

    private static void copy(Buffer from, int first, Buffer to, int at, int length) {
        if (from instanceof FloatBuffer floats) {
            ((FloatBuffer) to).put(at, floats, first, length);
        } else {
            ((DoubleBuffer) to).put(at, (DoubleBuffer) from, first, length);
        }
    }
}

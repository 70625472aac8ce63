package org.brigade.cli.bench;

import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * A collective call, or one exchange of gradients by several calls, that {@link BusBenchRank} times. It has its own
 * direct buffers, whose pages are touched.
 */
final class BusCall {
    private final BusOperation operation;
    private final Intracomm world = MPI.COMM_WORLD;
    private final int ranks;
    private final ByteBuffer send;
    private final ByteBuffer recv;
    private final int[] tensors;
    private final ByteBuffer[] slices;

    /** @param most bytes of the largest call */
    BusCall(BusOperation operation, long most) throws MPIException {
        this.operation = operation;
        ranks = world.getSize();
        tensors = operation.tensors();
        boolean one = tensors != null || operation == BusOperation.BCAST;
        BenchBuffers buffers = BenchBuffers.direct(operation == BusOperation.ALLGATHER ? most / ranks : most,
            one ? 0 : operation == BusOperation.REDUCE_SCATTER ? most / ranks : most);
        send = buffers.first();
        recv = buffers.second();
        slices = new ByteBuffer[tensors == null ? 0 : tensors.length];
        int at = 0;
        for (int i = 0; i < slices.length; i++) {
            slices[i] = send.slice(at, 4 * tensors[i]).order(send.order());
            at += 4 * tensors[i];
        }
        zero(send);
        zero(recv);
    }

    /** Fills a buffer with zeros: their sums never overflow, however often an in-place exchange is repeated. */
    private static void zero(ByteBuffer buffer) {
        for (int i = 0; i + 8 <= buffer.capacity(); i += 8) {
            buffer.putLong(i, 0);
        }
    }

    /** Makes the call or the exchange once. */
    void run(long bytes) throws MPIException {
        int floats = (int) (bytes / 4);
        switch (operation) {
            case ALLREDUCE -> world.allReduce(send, recv, floats, MPI.FLOAT, MPI.SUM);
            case BCAST -> world.bcast(send, floats, MPI.FLOAT, 0);
            case REDUCE -> world.reduce(send, recv, floats, MPI.FLOAT, MPI.SUM, 0);
            case ALLGATHER -> world.allGather(send, floats / ranks, MPI.FLOAT, recv, floats / ranks, MPI.FLOAT);
            case REDUCE_SCATTER -> world.reduceScatterBlock(send, recv, floats / ranks, MPI.FLOAT, MPI.SUM);
            case RESNET50, RESNET50_BUCKETS -> {
                for (int i = 0; i < slices.length; i++) {
                    world.allReduce(slices[i], tensors[i], MPI.FLOAT, MPI.SUM);
                }
            }
        }
    }
}

package org.brigade.communicator;

import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.Operation;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;

/**
 * A communicator's collectives as one line each, for tests. A null send buffer (scatters: receive buffer) means in
 * place.
 */
public final class CollectiveCalls {
    private final Communicator comm;

    private CollectiveCalls(Communicator comm) {
        this.comm = comm;
    }

    public static CollectiveCalls calls(Communicator comm) {
        return new CollectiveCalls(comm);
    }

    private Call call(Collective collective, boolean blocking) {
        return new Call(comm.rank(), comm.size()).begin(collective, blocking);
    }

    private static long bytes(int count, TypeLayout type) {
        return (long) count * type.extent;
    }

    public Operation barrier(boolean blocking) {
        return comm.start(call(Collective.BARRIER, blocking));
    }

    public Operation bcast(Object buffer, long offset, int count, TypeLayout type, int root, boolean blocking) {
        Call call = call(Collective.BCAST, blocking).root(root);
        call.recv.vector(buffer, offset, count, type.extent);
        call.extent = type.extent;
        return comm.start(call);
    }

    private Operation own(Call call, Object send, long offset, int count, TypeLayout type) {
        if (send == null) {
            call.inPlace();
        } else {
            call.send.own(send, offset, bytes(count, type));
        }
        return comm.start(call);
    }

    private Operation received(Call call, Object recv, long offset, int count, TypeLayout type) {
        if (recv == null) {
            call.inPlace();
        } else {
            call.recv.own(recv, offset, bytes(count, type));
        }
        return comm.start(call);
    }

    public Operation gather(Object send, long sendOffset, int sendCount, TypeLayout sendType, Object recv,
        long recvOffset, int recvCount,
        TypeLayout recvType, int root, boolean blocking) {
        Call call = call(Collective.GATHER, blocking).root(root);
        if (call.isRoot()) {
            call.recv.each(recv, recvOffset, bytes(recvCount, recvType), call.ranks);
        }
        return own(call, send, sendOffset, sendCount, sendType);
    }

    public Operation gatherv(Object send, long sendOffset, int sendCount, TypeLayout sendType, Object recv,
        long recvOffset, int[] counts,
        int[] displacements, TypeLayout recvType, int root, boolean blocking) {
        Call call = call(Collective.GATHERV, blocking).root(root);
        if (call.isRoot()) {
            call.recv.listed(recv, recvOffset, counts, displacements, recvType.extent, call.ranks);
        }
        return own(call, send, sendOffset, sendCount, sendType);
    }

    public Operation scatter(Object send, long sendOffset, int sendCount, TypeLayout sendType, Object recv,
        long recvOffset, int recvCount,
        TypeLayout recvType, int root, boolean blocking) {
        Call call = call(Collective.SCATTER, blocking).root(root);
        if (call.isRoot()) {
            call.send.each(send, sendOffset, bytes(sendCount, sendType), call.ranks);
        }
        return received(call, recv, recvOffset, recvCount, recvType);
    }

    public Operation scatterv(Object send, long sendOffset, int[] counts, int[] displacements, TypeLayout sendType,
        Object recv, long recvOffset,
        int recvCount, TypeLayout recvType, int root, boolean blocking) {
        Call call = call(Collective.SCATTERV, blocking).root(root);
        if (call.isRoot()) {
            call.send.listed(send, sendOffset, counts, displacements, sendType.extent, call.ranks);
        }
        return received(call, recv, recvOffset, recvCount, recvType);
    }

    public Operation allgather(Object send, long sendOffset, int sendCount, TypeLayout sendType, Object recv,
        long recvOffset, int recvCount,
        TypeLayout recvType, boolean blocking) {
        Call call = call(Collective.ALLGATHER, blocking);
        call.recv.each(recv, recvOffset, bytes(recvCount, recvType), call.ranks);
        return own(call, send, sendOffset, sendCount, sendType);
    }

    public Operation allgatherv(Object send, long sendOffset, int sendCount, TypeLayout sendType, Object recv,
        long recvOffset, int[] counts,
        int[] displacements, TypeLayout recvType, boolean blocking) {
        Call call = call(Collective.ALLGATHERV, blocking);
        call.recv.listed(recv, recvOffset, counts, displacements, recvType.extent, call.ranks);
        return own(call, send, sendOffset, sendCount, sendType);
    }

    public Operation alltoall(Object send, long sendOffset, int sendCount, TypeLayout sendType, Object recv,
        long recvOffset, int recvCount,
        TypeLayout recvType, boolean blocking) {
        Call call = call(Collective.ALLTOALL, blocking);
        call.recv.each(recv, recvOffset, bytes(recvCount, recvType), call.ranks);
        if (send == null) {
            call.inPlace();
        } else {
            call.send.each(send, sendOffset, bytes(sendCount, sendType), call.ranks);
        }
        return comm.start(call);
    }

    public Operation alltoallv(Object send, long sendOffset, int[] sendCounts, int[] sendDisplacements,
        TypeLayout sendType, Object recv,
        long recvOffset, int[] recvCounts, int[] recvDisplacements, TypeLayout recvType, boolean blocking) {
        Call call = call(Collective.ALLTOALLV, blocking);
        call.recv.listed(recv, recvOffset, recvCounts, recvDisplacements, recvType.extent, call.ranks);
        if (send == null) {
            call.inPlace();
        } else {
            call.send.listed(send, sendOffset, sendCounts, sendDisplacements, sendType.extent, call.ranks);
        }
        return comm.start(call);
    }

    public Operation reduce(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type,
        Reduction op, int root,
        boolean blocking) {
        Call call = call(Collective.REDUCE, blocking).root(root).reduction(type, op);
        if (call.isRoot()) {
            call.recv.vector(recv, recvOffset, count, type.extent);
        }
        return vector(call, send, sendOffset, count, type);
    }

    public Operation allreduce(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type,
        Reduction op, boolean blocking) {
        return combined(Collective.ALLREDUCE, send, sendOffset, recv, recvOffset, count, type, op, blocking);
    }

    public Operation scan(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type,
        Reduction op, boolean blocking) {
        return combined(Collective.SCAN, send, sendOffset, recv, recvOffset, count, type, op, blocking);
    }

    private Operation combined(Collective collective, Object send, long sendOffset, Object recv, long recvOffset,
        int count, TypeLayout type, Reduction op,
        boolean blocking) {
        Call call = call(collective, blocking).reduction(type, op);
        call.recv.vector(recv, recvOffset, count, type.extent);
        return vector(call, send, sendOffset, count, type);
    }

    private Operation vector(Call call, Object send, long offset, int count, TypeLayout type) {
        if (send == null) {
            call.inPlace();
        } else {
            call.send.vector(send, offset, count, type.extent);
        }
        return comm.start(call);
    }

    public Operation reduceScatter(Object send, long sendOffset, Object recv, long recvOffset, int[] counts,
        TypeLayout type, Reduction op,
        boolean blocking) {
        Call call = call(Collective.REDUCE_SCATTER, blocking).reduction(type, op);
        call.send.listed(send, sendOffset, counts, null, type.extent, call.ranks);
        return scattered(call, recv, recvOffset, counts[call.rank], type);
    }

    private Operation scattered(Call call, Object recv, long offset, int count, TypeLayout type) {
        call.recv.own(recv, offset, bytes(count, type));
        if (call.send.buffer == null) {
            call.inPlace();
        }
        return comm.start(call);
    }
}

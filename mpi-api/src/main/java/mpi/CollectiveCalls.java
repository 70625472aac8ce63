package mpi;

import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.Operation;
import mpi.spi.TypeLayout;

/**
 * The collective calls of one communicator, free of dialect: checks the arguments and hands them down. Offsets are in elements
 * of the type's array; a null sendbuf (scatter: recvbuf) together with {@code inPlace} means that the data is in place already.
 * What only the root uses is checked at the root only. Every method returns null when {@code blocking}, else the operation.
 */
final class CollectiveCalls {
    /** Stands for the receive buffer of a rank that has none; no send buffer is the same. */
    private static final Object NOWHERE = new Object();

    private final Handle handle;

    CollectiveCalls(Handle handle) {
        this.handle = handle;
    }

    Operation barrier(String call, boolean blocking) {
        Communicator lower = handle.lower(call);
        return handle.start(lower, handle.begin(Collective.BARRIER, blocking));
    }

    Operation bcast(String call, Object buf, int offset, int count, Datatype type, int root, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.root(handle, call, root);
        Object data = Arguments.buffer(handle, call, "buf", buf, offset, count, 1, type, handle.rank != root);
        Call made = handle.begin(Collective.BCAST, blocking).root(root);
        made.recv.vector(data, at(offset, type), count, type.extent);
        made.extent = type.extent;
        return handle.start(lower, made);
    }

    Operation gather(String call, boolean inPlace, Object sendbuf, int sendOffset, int sendCount, Datatype sendType,
                     Object recvbuf, int recvOffset, int recvCount, Datatype recvType, int root, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.root(handle, call, root);
        boolean atRoot = handle.rank == root;
        Object out = inPlace && atRoot ? null : Arguments.buffer(handle, call, "sendbuf", sendbuf, sendOffset, sendCount, 1, sendType, false);
        Object in = atRoot ? Arguments.buffer(handle, call, "recvbuf", recvbuf, recvOffset, recvCount, handle.size, recvType, true) : null;
        Call made = handle.begin(Collective.GATHER, blocking).root(root);
        if (atRoot) {
            made.recv.each(in, at(recvOffset, recvType), bytes(recvCount, recvType), handle.size);
        }
        return handle.start(lower, sending(made, out, sendOffset, sendCount, sendType));
    }

    Operation gatherv(String call, boolean inPlace, Object sendbuf, int sendOffset, int sendCount, Datatype sendType,
                      Object recvbuf, int recvOffset, int[] recvCounts, int[] displacements, Datatype recvType, int root, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.root(handle, call, root);
        boolean atRoot = handle.rank == root;
        Object out = inPlace && atRoot ? null : Arguments.buffer(handle, call, "sendbuf", sendbuf, sendOffset, sendCount, 1, sendType, false);
        Object in = atRoot ? Arguments.blocks(handle, call, "recvbuf", recvbuf, recvOffset, recvCounts, displacements, recvType, true) : null;
        Call made = handle.begin(Collective.GATHERV, blocking).root(root);
        if (atRoot) {
            made.recv.listed(in, at(recvOffset, recvType), recvCounts, displacements, recvType.extent, handle.size);
        }
        return handle.start(lower, sending(made, out, sendOffset, sendCount, sendType));
    }

    Operation scatter(String call, boolean inPlace, Object sendbuf, int sendOffset, int sendCount, Datatype sendType,
                      Object recvbuf, int recvOffset, int recvCount, Datatype recvType, int root, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.root(handle, call, root);
        boolean atRoot = handle.rank == root;
        Object in = inPlace && atRoot ? null : Arguments.buffer(handle, call, "recvbuf", recvbuf, recvOffset, recvCount, 1, recvType, true);
        Object out = atRoot ? Arguments.buffer(handle, call, "sendbuf", sendbuf, sendOffset, sendCount, handle.size, sendType, false) : null;
        Call made = handle.begin(Collective.SCATTER, blocking).root(root);
        if (atRoot) {
            made.send.each(out, at(sendOffset, sendType), bytes(sendCount, sendType), handle.size);
        }
        return handle.start(lower, receiving(made, in, recvOffset, recvCount, recvType));
    }

    Operation scatterv(String call, boolean inPlace, Object sendbuf, int sendOffset, int[] sendCounts, int[] displacements, Datatype sendType,
                       Object recvbuf, int recvOffset, int recvCount, Datatype recvType, int root, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.root(handle, call, root);
        boolean atRoot = handle.rank == root;
        Object in = inPlace && atRoot ? null : Arguments.buffer(handle, call, "recvbuf", recvbuf, recvOffset, recvCount, 1, recvType, true);
        Object out = atRoot ? Arguments.blocks(handle, call, "sendbuf", sendbuf, sendOffset, sendCounts, displacements, sendType, false) : null;
        Call made = handle.begin(Collective.SCATTERV, blocking).root(root);
        if (atRoot) {
            made.send.listed(out, at(sendOffset, sendType), sendCounts, displacements, sendType.extent, handle.size);
        }
        return handle.start(lower, receiving(made, in, recvOffset, recvCount, recvType));
    }

    Operation allgather(String call, boolean inPlace, Object sendbuf, int sendOffset, int sendCount, Datatype sendType,
                        Object recvbuf, int recvOffset, int recvCount, Datatype recvType, boolean blocking) {
        Communicator lower = handle.lower(call);
        Object out = inPlace ? null : Arguments.buffer(handle, call, "sendbuf", sendbuf, sendOffset, sendCount, 1, sendType, false);
        Object in = Arguments.buffer(handle, call, "recvbuf", recvbuf, recvOffset, recvCount, handle.size, recvType, true);
        Call made = handle.begin(Collective.ALLGATHER, blocking);
        made.recv.each(in, at(recvOffset, recvType), bytes(recvCount, recvType), handle.size);
        return handle.start(lower, sending(made, out, sendOffset, sendCount, sendType));
    }

    Operation allgatherv(String call, boolean inPlace, Object sendbuf, int sendOffset, int sendCount, Datatype sendType,
                         Object recvbuf, int recvOffset, int[] recvCounts, int[] displacements, Datatype recvType, boolean blocking) {
        Communicator lower = handle.lower(call);
        Object out = inPlace ? null : Arguments.buffer(handle, call, "sendbuf", sendbuf, sendOffset, sendCount, 1, sendType, false);
        Object in = Arguments.blocks(handle, call, "recvbuf", recvbuf, recvOffset, recvCounts, displacements, recvType, true);
        Call made = handle.begin(Collective.ALLGATHERV, blocking);
        made.recv.listed(in, at(recvOffset, recvType), recvCounts, displacements, recvType.extent, handle.size);
        return handle.start(lower, sending(made, out, sendOffset, sendCount, sendType));
    }

    Operation alltoall(String call, Object sendbuf, int sendOffset, int sendCount, Datatype sendType,
                       Object recvbuf, int recvOffset, int recvCount, Datatype recvType, boolean blocking) {
        Communicator lower = handle.lower(call);
        Object out = Arguments.buffer(handle, call, "sendbuf", sendbuf, sendOffset, sendCount, handle.size, sendType, false);
        Object in = Arguments.buffer(handle, call, "recvbuf", recvbuf, recvOffset, recvCount, handle.size, recvType, true);
        Call made = handle.begin(Collective.ALLTOALL, blocking);
        made.send.each(out, at(sendOffset, sendType), bytes(sendCount, sendType), handle.size);
        made.recv.each(in, at(recvOffset, recvType), bytes(recvCount, recvType), handle.size);
        return handle.start(lower, made);
    }

    Operation alltoallv(String call, Object sendbuf, int sendOffset, int[] sendCounts, int[] sendDisplacements, Datatype sendType,
                        Object recvbuf, int recvOffset, int[] recvCounts, int[] recvDisplacements, Datatype recvType, boolean blocking) {
        Communicator lower = handle.lower(call);
        Object out = Arguments.blocks(handle, call, "sendbuf", sendbuf, sendOffset, sendCounts, sendDisplacements, sendType, false);
        Object in = Arguments.blocks(handle, call, "recvbuf", recvbuf, recvOffset, recvCounts, recvDisplacements, recvType, true);
        Call made = handle.begin(Collective.ALLTOALLV, blocking);
        made.send.listed(out, at(sendOffset, sendType), sendCounts, sendDisplacements, sendType.extent, handle.size);
        made.recv.listed(in, at(recvOffset, recvType), recvCounts, recvDisplacements, recvType.extent, handle.size);
        return handle.start(lower, made);
    }

    Operation alltoallw(String call, Object sendbuf, int[] sendCounts, int[] sendDisplacements, Datatype[] sendTypes,
                        Object recvbuf, int[] recvCounts, int[] recvDisplacements, Datatype[] recvTypes, boolean blocking) {
        Communicator lower = handle.lower(call);
        Object out = Arguments.typedBlocks(handle, call, "sendbuf", sendbuf, sendCounts, sendDisplacements, sendTypes, false);
        Object in = Arguments.typedBlocks(handle, call, "recvbuf", recvbuf, recvCounts, recvDisplacements, recvTypes, true);
        Call made = handle.begin(Collective.ALLTOALLV, blocking);
        made.send.typed(out, sendCounts, sendDisplacements, layouts(sendTypes), handle.size);
        made.recv.typed(in, recvCounts, recvDisplacements, layouts(recvTypes), handle.size);
        return handle.start(lower, made);
    }

    Operation reduce(String call, boolean inPlace, Object sendbuf, int sendOffset, Object recvbuf, int recvOffset,
                     int count, Datatype type, Op op, int root, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.root(handle, call, root);
        Arguments.operation(handle, call, op, type);
        boolean atRoot = handle.rank == root;
        Object in = atRoot ? operand(call, "recvbuf", recvbuf, recvOffset, count, 1, type, true) : null;
        Object out = source(call, inPlace && atRoot, sendbuf, sendOffset, atRoot ? recvbuf : NOWHERE, recvOffset, in, count, 1, type);
        Call made = handle.begin(Collective.REDUCE, blocking).root(root).reduction(type.layout, op.on(type));
        if (atRoot) {
            made.recv.vector(in, at(recvOffset, type), count, type.extent);
        }
        return handle.start(lower, combining(made, out, sendOffset, count, type));
    }

    Operation allreduce(String call, boolean inPlace, Object sendbuf, int sendOffset, Object recvbuf, int recvOffset,
                        int count, Datatype type, Op op, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.operation(handle, call, op, type);
        Object in = operand(call, "recvbuf", recvbuf, recvOffset, count, 1, type, true);
        Object out = source(call, inPlace, sendbuf, sendOffset, recvbuf, recvOffset, in, count, 1, type);
        Call made = handle.begin(Collective.ALLREDUCE, blocking).reduction(type.layout, op.on(type));
        made.recv.vector(in, at(recvOffset, type), count, type.extent);
        return handle.start(lower, combining(made, out, sendOffset, count, type));
    }

    Operation reduceScatter(String call, boolean inPlace, Object sendbuf, int sendOffset, Object recvbuf, int recvOffset,
                            int[] counts, Datatype type, Op op, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.operation(handle, call, op, type);
        int total = total(call, counts);
        int received = inPlace || sendbuf == recvbuf && sendOffset == recvOffset ? total : counts[handle.rank];
        Object in = operand(call, "recvbuf", recvbuf, recvOffset, received, 1, type, true);
        Object out = source(call, inPlace, sendbuf, sendOffset, recvbuf, recvOffset, in, total, 1, type);
        Call made = handle.begin(Collective.REDUCE_SCATTER, blocking).reduction(type.layout, op.on(type));
        made.send.listed(out, at(sendOffset, type), counts, null, type.extent, handle.size);
        made.recv.own(in, at(recvOffset, type), bytes(counts[handle.rank], type));
        return handle.start(lower, placed(made, out));
    }

    Operation reduceScatterBlock(String call, boolean inPlace, Object sendbuf, int sendOffset, Object recvbuf, int recvOffset,
                                 int count, Datatype type, Op op, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.operation(handle, call, op, type);
        int blocks = inPlace || sendbuf == recvbuf && sendOffset == recvOffset ? handle.size : 1;
        Object in = operand(call, "recvbuf", recvbuf, recvOffset, count, blocks, type, true);
        Object out = source(call, inPlace, sendbuf, sendOffset, recvbuf, recvOffset, in, count, handle.size, type);
        Call made = handle.begin(Collective.REDUCE_SCATTER, blocking).reduction(type.layout, op.on(type));
        made.send.each(out, at(sendOffset, type), bytes(count, type), handle.size);
        made.recv.own(in, at(recvOffset, type), bytes(count, type));
        return handle.start(lower, placed(made, out));
    }

    Operation scan(String call, boolean inPlace, Object sendbuf, int sendOffset, Object recvbuf, int recvOffset,
                   int count, Datatype type, Op op, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.operation(handle, call, op, type);
        Object in = operand(call, "recvbuf", recvbuf, recvOffset, count, 1, type, true);
        Object out = source(call, inPlace, sendbuf, sendOffset, recvbuf, recvOffset, in, count, 1, type);
        Call made = handle.begin(Collective.SCAN, blocking).reduction(type.layout, op.on(type));
        made.recv.vector(in, at(recvOffset, type), count, type.extent);
        return handle.start(lower, combining(made, out, sendOffset, count, type));
    }

    Operation exscan(String call, boolean inPlace, Object sendbuf, int sendOffset, Object recvbuf, int recvOffset,
                     int count, Datatype type, Op op, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.operation(handle, call, op, type);
        Object in = operand(call, "recvbuf", recvbuf, recvOffset, count, 1, type, true);
        Object out = source(call, inPlace, sendbuf, sendOffset, recvbuf, recvOffset, in, count, 1, type);
        Call made = handle.begin(Collective.EXSCAN, blocking).reduction(type.layout, op.on(type));
        made.recv.vector(in, at(recvOffset, type), count, type.extent);
        return handle.start(lower, combining(made, out, sendOffset, count, type));
    }

    /** Throws unless this rank is the root, for the forms that only the root may call, or is not, for those that it may not. */
    void role(String call, int root, boolean asRoot, String insteadOf) {
        handle.lower(call);
        Arguments.root(handle, call, root);
        if ((handle.rank == root) != asRoot) {
            throw handle.error(ErrorClass.ROOT, call, "this form is for " + (asRoot ? "the root with its data in place" : "ranks other than the root")
                + ", and the root is " + root + "; call " + insteadOf + " here");
        }
    }

    private Object operand(String call, String role, Object buffer, int offset, int count, int blocks, Datatype type, boolean written) {
        Object usable = Arguments.buffer(handle, call, role, buffer, offset, count, blocks, type, written);
        Arguments.order(handle, call, role, usable, offset, type);
        return usable;
    }

    /**
     * The operand to send: null if it is in place. Programs that pass one buffer for both mean that.
     *
     * @param in what {@link #operand} made of {@code recvbuf}
     */
    private Object source(String call, boolean inPlace, Object sendbuf, int sendOffset, Object recvbuf, int recvOffset, Object in, int count, int blocks, Datatype type) {
        if (inPlace || sendbuf == recvbuf && sendOffset == recvOffset) {
            return null;
        }
        Object out = operand(call, "sendbuf", sendbuf, sendOffset, count, blocks, type, false);
        // Two pointer objects may lead to the same bytes.
        return out == in && sendOffset == recvOffset || Arguments.sameDeviceBytes(out, sendOffset, in, recvOffset, type) ? null : out;
    }

    private int total(String call, int[] counts) {
        if (counts == null || counts.length < handle.size) {
            throw Complaints.tooFew(handle, call, "recvbuf", "counts", counts == null ? -1 : counts.length);
        }
        long total = 0;
        for (int rank = 0; rank < handle.size; rank++) {
            if (counts[rank] < 0) {
                throw Complaints.negativeCount(handle, call, "recvbuf", counts, rank);
            }
            total += counts[rank];
        }
        if (total > Integer.MAX_VALUE) {
            throw handle.error(ErrorClass.COUNT, call, "the counts add up to " + total + "; reduce at most " + Integer.MAX_VALUE + " items in one call");
        }
        return (int) total;
    }

    private static long at(int offset, Datatype type) {
        return (long) offset << type.shift;
    }

    private static long bytes(int count, Datatype type) {
        return (long) count * type.extent;
    }

    /** A null buffer: in place. */
    private static Call sending(Call made, Object out, int offset, int count, Datatype type) {
        if (out == null) {
            made.inPlace();
        } else {
            made.send.own(out, at(offset, type), bytes(count, type));
        }
        return made;
    }

    private static Call receiving(Call made, Object in, int offset, int count, Datatype type) {
        if (in == null) {
            made.inPlace();
        } else {
            made.recv.own(in, at(offset, type), bytes(count, type));
        }
        return made;
    }

    private static Call combining(Call made, Object out, int offset, int count, Datatype type) {
        if (out == null) {
            made.inPlace();
        } else {
            made.send.vector(out, at(offset, type), count, type.extent);
        }
        return made;
    }

    private static Call placed(Call made, Object out) {
        if (out == null) {
            made.inPlace();
        }
        return made;
    }

    private static TypeLayout[] layouts(Datatype[] types) {
        TypeLayout[] layouts = new TypeLayout[types.length];
        for (int i = 0; i < layouts.length; i++) {
            layouts[i] = types[i] == null ? null : types[i].layout;
        }
        return layouts;
    }
}

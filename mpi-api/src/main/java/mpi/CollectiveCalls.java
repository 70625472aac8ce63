package mpi;

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
        return handle.lower(call).barrier(blocking);
    }

    Operation bcast(String call, Object buf, int offset, int count, Datatype type, int root, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.root(handle, call, root);
        Object data = Arguments.buffer(handle, call, "buf", buf, offset, count, 1, type, handle.rank != root);
        return lower.bcast(data, (long) offset << type.shift, count, type.layout, root, blocking);
    }

    Operation gather(String call, boolean inPlace, Object sendbuf, int sendOffset, int sendCount, Datatype sendType,
                     Object recvbuf, int recvOffset, int recvCount, Datatype recvType, int root, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.root(handle, call, root);
        boolean atRoot = handle.rank == root;
        Object out = inPlace && atRoot ? null : Arguments.buffer(handle, call, "sendbuf", sendbuf, sendOffset, sendCount, 1, sendType, false);
        if (!atRoot) {
            return lower.gather(out, at(sendOffset, sendType), sendCount, sendType.layout, null, 0, 0, sendType.layout, root, blocking);
        }
        Object in = Arguments.buffer(handle, call, "recvbuf", recvbuf, recvOffset, recvCount, handle.size, recvType, true);
        return lower.gather(out, at(sendOffset, out, sendType), sendCount, layout(out, sendType, recvType),
            in, at(recvOffset, recvType), recvCount, recvType.layout, root, blocking);
    }

    Operation gatherv(String call, boolean inPlace, Object sendbuf, int sendOffset, int sendCount, Datatype sendType,
                      Object recvbuf, int recvOffset, int[] recvCounts, int[] displacements, Datatype recvType, int root, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.root(handle, call, root);
        boolean atRoot = handle.rank == root;
        Object out = inPlace && atRoot ? null : Arguments.buffer(handle, call, "sendbuf", sendbuf, sendOffset, sendCount, 1, sendType, false);
        if (!atRoot) {
            return lower.gatherv(out, at(sendOffset, sendType), sendCount, sendType.layout, null, 0, null, null, sendType.layout, root, blocking);
        }
        Object in = Arguments.blocks(handle, call, "recvbuf", recvbuf, recvOffset, recvCounts, displacements, recvType, true);
        return lower.gatherv(out, at(sendOffset, out, sendType), sendCount, layout(out, sendType, recvType),
            in, at(recvOffset, recvType), recvCounts, displacements, recvType.layout, root, blocking);
    }

    Operation scatter(String call, boolean inPlace, Object sendbuf, int sendOffset, int sendCount, Datatype sendType,
                      Object recvbuf, int recvOffset, int recvCount, Datatype recvType, int root, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.root(handle, call, root);
        boolean atRoot = handle.rank == root;
        Object in = inPlace && atRoot ? null : Arguments.buffer(handle, call, "recvbuf", recvbuf, recvOffset, recvCount, 1, recvType, true);
        if (!atRoot) {
            return lower.scatter(null, 0, 0, recvType.layout, in, at(recvOffset, recvType), recvCount, recvType.layout, root, blocking);
        }
        Object out = Arguments.buffer(handle, call, "sendbuf", sendbuf, sendOffset, sendCount, handle.size, sendType, false);
        return lower.scatter(out, at(sendOffset, sendType), sendCount, sendType.layout,
            in, at(recvOffset, in, recvType), recvCount, layout(in, recvType, sendType), root, blocking);
    }

    Operation scatterv(String call, boolean inPlace, Object sendbuf, int sendOffset, int[] sendCounts, int[] displacements, Datatype sendType,
                       Object recvbuf, int recvOffset, int recvCount, Datatype recvType, int root, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.root(handle, call, root);
        boolean atRoot = handle.rank == root;
        Object in = inPlace && atRoot ? null : Arguments.buffer(handle, call, "recvbuf", recvbuf, recvOffset, recvCount, 1, recvType, true);
        if (!atRoot) {
            return lower.scatterv(null, 0, null, null, recvType.layout, in, at(recvOffset, recvType), recvCount, recvType.layout, root, blocking);
        }
        Object out = Arguments.blocks(handle, call, "sendbuf", sendbuf, sendOffset, sendCounts, displacements, sendType, false);
        return lower.scatterv(out, at(sendOffset, sendType), sendCounts, displacements, sendType.layout,
            in, at(recvOffset, in, recvType), recvCount, layout(in, recvType, sendType), root, blocking);
    }

    Operation allgather(String call, boolean inPlace, Object sendbuf, int sendOffset, int sendCount, Datatype sendType,
                        Object recvbuf, int recvOffset, int recvCount, Datatype recvType, boolean blocking) {
        Communicator lower = handle.lower(call);
        Object out = inPlace ? null : Arguments.buffer(handle, call, "sendbuf", sendbuf, sendOffset, sendCount, 1, sendType, false);
        Object in = Arguments.buffer(handle, call, "recvbuf", recvbuf, recvOffset, recvCount, handle.size, recvType, true);
        return lower.allgather(out, at(sendOffset, out, sendType), sendCount, layout(out, sendType, recvType),
            in, at(recvOffset, recvType), recvCount, recvType.layout, blocking);
    }

    Operation allgatherv(String call, boolean inPlace, Object sendbuf, int sendOffset, int sendCount, Datatype sendType,
                         Object recvbuf, int recvOffset, int[] recvCounts, int[] displacements, Datatype recvType, boolean blocking) {
        Communicator lower = handle.lower(call);
        Object out = inPlace ? null : Arguments.buffer(handle, call, "sendbuf", sendbuf, sendOffset, sendCount, 1, sendType, false);
        Object in = Arguments.blocks(handle, call, "recvbuf", recvbuf, recvOffset, recvCounts, displacements, recvType, true);
        return lower.allgatherv(out, at(sendOffset, out, sendType), sendCount, layout(out, sendType, recvType),
            in, at(recvOffset, recvType), recvCounts, displacements, recvType.layout, blocking);
    }

    Operation alltoall(String call, Object sendbuf, int sendOffset, int sendCount, Datatype sendType,
                       Object recvbuf, int recvOffset, int recvCount, Datatype recvType, boolean blocking) {
        Communicator lower = handle.lower(call);
        Object out = Arguments.buffer(handle, call, "sendbuf", sendbuf, sendOffset, sendCount, handle.size, sendType, false);
        Object in = Arguments.buffer(handle, call, "recvbuf", recvbuf, recvOffset, recvCount, handle.size, recvType, true);
        return lower.alltoall(out, at(sendOffset, sendType), sendCount, sendType.layout,
            in, at(recvOffset, recvType), recvCount, recvType.layout, blocking);
    }

    Operation alltoallv(String call, Object sendbuf, int sendOffset, int[] sendCounts, int[] sendDisplacements, Datatype sendType,
                        Object recvbuf, int recvOffset, int[] recvCounts, int[] recvDisplacements, Datatype recvType, boolean blocking) {
        Communicator lower = handle.lower(call);
        Object out = Arguments.blocks(handle, call, "sendbuf", sendbuf, sendOffset, sendCounts, sendDisplacements, sendType, false);
        Object in = Arguments.blocks(handle, call, "recvbuf", recvbuf, recvOffset, recvCounts, recvDisplacements, recvType, true);
        return lower.alltoallv(out, at(sendOffset, sendType), sendCounts, sendDisplacements, sendType.layout,
            in, at(recvOffset, recvType), recvCounts, recvDisplacements, recvType.layout, blocking);
    }

    Operation alltoallw(String call, Object sendbuf, int[] sendCounts, int[] sendDisplacements, Datatype[] sendTypes,
                        Object recvbuf, int[] recvCounts, int[] recvDisplacements, Datatype[] recvTypes, boolean blocking) {
        Communicator lower = handle.lower(call);
        Object out = Arguments.typedBlocks(handle, call, "sendbuf", sendbuf, sendCounts, sendDisplacements, sendTypes, false);
        Object in = Arguments.typedBlocks(handle, call, "recvbuf", recvbuf, recvCounts, recvDisplacements, recvTypes, true);
        return lower.alltoallw(out, 0, sendCounts, sendDisplacements, layouts(sendTypes),
            in, 0, recvCounts, recvDisplacements, layouts(recvTypes), blocking);
    }

    Operation reduce(String call, boolean inPlace, Object sendbuf, int sendOffset, Object recvbuf, int recvOffset,
                     int count, Datatype type, Op op, int root, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.root(handle, call, root);
        Arguments.operation(handle, call, op, type);
        boolean atRoot = handle.rank == root;
        Object in = atRoot ? operand(call, "recvbuf", recvbuf, recvOffset, count, 1, type, true) : null;
        Object out = source(call, inPlace && atRoot, sendbuf, sendOffset, atRoot ? recvbuf : NOWHERE, recvOffset, in, count, 1, type);
        return lower.reduce(out, at(sendOffset, out, type), in, at(recvOffset, in, type), count, type.layout, op.on(type), root, blocking);
    }

    Operation allreduce(String call, boolean inPlace, Object sendbuf, int sendOffset, Object recvbuf, int recvOffset,
                        int count, Datatype type, Op op, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.operation(handle, call, op, type);
        Object in = operand(call, "recvbuf", recvbuf, recvOffset, count, 1, type, true);
        Object out = source(call, inPlace, sendbuf, sendOffset, recvbuf, recvOffset, in, count, 1, type);
        return lower.allreduce(out, at(sendOffset, out, type), in, at(recvOffset, type), count, type.layout, op.on(type), blocking);
    }

    Operation reduceScatter(String call, boolean inPlace, Object sendbuf, int sendOffset, Object recvbuf, int recvOffset,
                            int[] counts, Datatype type, Op op, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.operation(handle, call, op, type);
        int total = total(call, counts);
        int received = inPlace || sendbuf == recvbuf && sendOffset == recvOffset ? total : counts[handle.rank];
        Object in = operand(call, "recvbuf", recvbuf, recvOffset, received, 1, type, true);
        Object out = source(call, inPlace, sendbuf, sendOffset, recvbuf, recvOffset, in, total, 1, type);
        return lower.reduceScatter(out, at(sendOffset, out, type), in, at(recvOffset, type), counts, type.layout, op.on(type), blocking);
    }

    Operation reduceScatterBlock(String call, boolean inPlace, Object sendbuf, int sendOffset, Object recvbuf, int recvOffset,
                                 int count, Datatype type, Op op, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.operation(handle, call, op, type);
        int blocks = inPlace || sendbuf == recvbuf && sendOffset == recvOffset ? handle.size : 1;
        Object in = operand(call, "recvbuf", recvbuf, recvOffset, count, blocks, type, true);
        Object out = source(call, inPlace, sendbuf, sendOffset, recvbuf, recvOffset, in, count, handle.size, type);
        return lower.reduceScatterBlock(out, at(sendOffset, out, type), in, at(recvOffset, type), count, type.layout, op.on(type), blocking);
    }

    Operation scan(String call, boolean inPlace, Object sendbuf, int sendOffset, Object recvbuf, int recvOffset,
                   int count, Datatype type, Op op, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.operation(handle, call, op, type);
        Object in = operand(call, "recvbuf", recvbuf, recvOffset, count, 1, type, true);
        Object out = source(call, inPlace, sendbuf, sendOffset, recvbuf, recvOffset, in, count, 1, type);
        return lower.scan(out, at(sendOffset, out, type), in, at(recvOffset, type), count, type.layout, op.on(type), blocking);
    }

    Operation exscan(String call, boolean inPlace, Object sendbuf, int sendOffset, Object recvbuf, int recvOffset,
                     int count, Datatype type, Op op, boolean blocking) {
        Communicator lower = handle.lower(call);
        Arguments.operation(handle, call, op, type);
        Object in = operand(call, "recvbuf", recvbuf, recvOffset, count, 1, type, true);
        Object out = source(call, inPlace, sendbuf, sendOffset, recvbuf, recvOffset, in, count, 1, type);
        return lower.exscan(out, at(sendOffset, out, type), in, at(recvOffset, type), count, type.layout, op.on(type), blocking);
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

    /** The offset of a buffer that may be in place. */
    private static long at(int offset, Object buffer, Datatype type) {
        return buffer == null ? 0 : (long) offset << type.shift;
    }

    /** The type of a buffer that may be in place: then that of the other. */
    private static TypeLayout layout(Object buffer, Datatype type, Datatype other) {
        return buffer == null ? other.layout : type.layout;
    }

    private static TypeLayout[] layouts(Datatype[] types) {
        TypeLayout[] layouts = new TypeLayout[types.length];
        for (int i = 0; i < layouts.length; i++) {
            layouts[i] = types[i] == null ? null : types[i].layout;
        }
        return layouts;
    }
}

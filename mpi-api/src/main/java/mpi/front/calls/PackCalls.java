package mpi.front.calls;

import mpi.ErrorClass;
import mpi.MPIException;
import mpi.front.arguments.Arguments;
import mpi.front.arguments.Complaints;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.front.types.Bytes;
import mpi.front.types.ItemType;
import mpi.front.types.ReductionOperation;

/** Calls on buffers of this rank alone: packing, unpacking and reducing. */
public final class PackCalls {
    private PackCalls() {
    }

    /** Bytes of packed items. */
    public static int size(Handle handle, String call, int count, ItemType type) {
        Arguments.type(handle, call, type);
        if (count < 0 || (long) count * type.size > Integer.MAX_VALUE) {
            throw handle.error(ErrorClass.COUNT, call,
                "count " + count + " of " + type + " cannot be packed; pass 0 <= count <= "
                    + Integer.MAX_VALUE / Math.max(1, type.size));
        }
        return count * type.size;
    }

    /** Returns where in {@code outbuf} the packed items end. */
    public static int pack(Handle handle, String call, Object inbuf, int offset, int count, ItemType type,
        byte[] outbuf, int position) {
        handle.lower(call);
        Object data = Arguments.buffer(handle, call, "inbuf", inbuf, offset, count, 1, type, false);
        int bytes = size(handle, call, count, type);
        checkPacked(handle, call, "outbuf", outbuf, position, bytes);
        Bytes.get(data, type.at(offset), outbuf, position, bytes);
        return position + bytes;
    }

    /** Returns where in {@code inbuf} the packed items end. */
    public static int unpack(Handle handle, String call, byte[] inbuf, int position, Object outbuf, int offset,
        int count, ItemType type) {
        handle.lower(call);
        Object data = Arguments.buffer(handle, call, "outbuf", outbuf, offset, count, 1, type, true);
        int bytes = size(handle, call, count, type);
        checkPacked(handle, call, "inbuf", inbuf, position, bytes);
        Bytes.put(data, type.at(offset), inbuf, position, bytes);
        return position + bytes;
    }

    private static void checkPacked(Handle handle, String call, String role, byte[] packed, int position, int bytes) {
        if (packed == null || position < 0 || (long) position + bytes > packed.length) {
            throw handle.error(ErrorClass.BUFFER, call,
                bytes + " bytes at position " + position + " do not fit in " + role + ", "
                    + Complaints.describe(packed) + "; pass a longer byte[], or an earlier position");
        }
    }

    /** Combines items of two buffers in the second. */
    public static void reduce(String call, Object inBuf, Object inOutBuf, int count, ItemType type,
        ReductionOperation op) {
        Handle handle = Handle.SELF;
        handle.lower(call);
        Arguments.operation(handle, call, op, type);
        Arguments.binary(handle, call, op);
        Object in = Arguments.buffer(handle, call, "inBuf", inBuf, 0, count, 1, type, false);
        Object inOut = Arguments.buffer(handle, call, "inOutBuf", inOutBuf, 0, count, 1, type, true);
        Arguments.order(handle, call, "inBuf", in, 0, type);
        Arguments.order(handle, call, "inOutBuf", inOut, 0, type);
        try {
            JobState.provider(call).reduceLocal(in, 0, inOut, 0, count, type.layout(), op.on(type));
        } catch (MPIException known) {
            throw known;
        } catch (RuntimeException thrown) { // by the user's function
            MPIException error = handle.error(ErrorClass.OTHER, call, "the operation threw " + thrown);
            error.initCause(thrown);
            throw error;
        }
    }
}

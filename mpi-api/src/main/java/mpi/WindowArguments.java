package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.spi.window.Access;
import mpi.spi.DeviceBuffer;
import mpi.spi.TypeMap;

/** Checks the arguments of {@link Win}'s calls, and makes an {@link Access} of them. */
final class WindowArguments {
    /** The bytes that compareAndSwap takes at most. */
    private static final int LONGEST_SWAP = 8;

    private WindowArguments() {
    }

    // ---- memory ----

    /**
     * Checks the memory of a rank; returns its bytes. A size beyond the buffer's end is cut: Open MPI's own programs
     * pass empty buffers with the other ranks' size.
     *
     * @param limited whether the size is cut to the buffer
     */
    static long memory(Handle handle, String call, Buffer base, int size, boolean limited) {
        if (base == null) {
            throw handle.error(ErrorClass.BUFFER, call,
                "the buffer is null; pass one, which may have no elements (MPI.newByteBuffer(0))");
        }
        if (size < 0) {
            throw handle.error(ErrorClass.SIZE, call, "size " + size + " is negative; pass 0 or more elements");
        }
        long bytes = (long) size << Bytes.shiftOf(base);
        if (limited) {
            if (base.isReadOnly()) {
                throw handle.error(ErrorClass.BUFFER, call,
                    "the buffer is a read-only one; pass one that can be written to");
            }
            if (!(base instanceof ByteBuffer) && Arguments.orderOf(base) != ByteOrder.nativeOrder()) {
                throw handle.error(ErrorClass.BUFFER, call, "the buffer has its bytes in foreign order ("
                    + Arguments.orderOf(base) + "), in which ranks cannot add up; make it by MPI.newIntBuffer and its"
                    + " like, or set ByteOrder.nativeOrder() before viewing bytes as numbers");
            }
            bytes = Math.min(bytes, Arguments.capacity(base));
        }
        if (bytes > Integer.MAX_VALUE) {
            throw handle.error(ErrorClass.SIZE, call, "a rank's memory in a window has at most 2 GiB - 1, and this is "
                + bytes + " bytes; make several windows");
        }
        return bytes;
    }

    static int unit(Handle handle, String call, Buffer base, int dispUnit) {
        if (dispUnit <= 0 || dispUnit > Integer.MAX_VALUE >> Bytes.shiftOf(base)) {
            throw handle.error(ErrorClass.DISP, call,
                "displacement unit " + dispUnit + " is "
                    + (dispUnit <= 0 ? "not positive; pass 1" : "too large; pass 1")
                    + ", or a number of elements of the buffer");
        }
        return dispUnit << Bytes.shiftOf(base);
    }

    // ---- who ----

    /** Whether there is such a target: a rank and not {@link MPI#PROC_NULL}. */
    static boolean target(Handle handle, String call, int rank) {
        if (rank == MPI.PROC_NULL) {
            return false;
        }
        rank(handle, call, rank);
        return true;
    }

    static void rank(Handle handle, String call, int rank) {
        if (rank < 0 || rank >= handle.size) {
            throw handle.error(ErrorClass.RANK, call,
                "target " + rank + " is not a rank; pass 0 <= rank < " + handle.size);
        }
    }

    static int[] ranks(Handle handle, String call, Group group) {
        if (group == null || group.isNull()) {
            throw handle.error(ErrorClass.GROUP, call, "the group is null or has been freed; pass one of ranks of the"
                + " window, such as getGroup().incl(...)");
        }
        int[] ranks = group.ranksAmong(handle.lower(call).members());
        for (int each : ranks) {
            if (each == MPI.UNDEFINED) {
                throw handle.error(ErrorClass.GROUP, call,
                    "the group has a process that is not in the window; pass ranks of the window's getGroup()");
            }
        }
        return ranks;
    }

    /** @param known the assertions that a call takes, combined by {@code |} */
    static void assertion(Handle handle, String call, int assertion, int known) {
        if ((assertion & ~known) != 0) {
            throw handle.error(ErrorClass.ASSERT, call, "assertion " + assertion
                + " has bits that mean nothing here; pass 0, or those of MPI.MODE_NO that the call names");
        }
    }

    // ---- accesses ----

    /** An access to a target, still without buffers. */
    static Access access(Handle handle, String call, Access.Kind kind, int rank, int disp, int count, Datatype type) {
        Arguments.type(handle, call, type);
        if (type.holdsObjects) {
            throw handle.error(ErrorClass.TYPE, call, type + " holds objects, which cannot lie in a window; put their"
                + " bytes there, as MPI.BYTE");
        }
        if (count < 0) {
            throw handle.error(ErrorClass.COUNT, call,
                "target count " + count + " is negative; pass 0 or more items of " + type);
        }
        if (disp < 0) {
            throw handle.error(ErrorClass.DISP, call,
                "target displacement " + disp + " is negative; pass 0 or more units of the target's");
        }
        long bytes = (long) count * type.size;
        if (kind != Access.Kind.GET && type.overlaps()) {
            throw Complaints.overlapping(handle, call, "the target", type);
        }
        TypeMap items = type.gapped == null ? TypeMap.contiguous(bytes, 1)
            : TypeMap.repeated(type.shape.map, count, type.shape.extent());
        return new Access(call, kind, rank, disp, items, bytes);
    }

    /** Checks a buffer of this rank that has as many bytes as the target's items. */
    static Object buffer(Handle handle, Access access, String role, Buffer buffer, int count, Datatype type,
        boolean written) {
        Object checked = Arguments.buffer(handle, access.call, role, buffer, 0, count, 1, type, written);
        if (checked instanceof DeviceBuffer) {
            throw handle.error(ErrorClass.BUFFER, access.call,
                role + " lies on a device, which windows do not serve; copy it to the host first");
        }
        if ((long) count * type.size != access.bytes) {
            throw handle.error(ErrorClass.COUNT, access.call, count + " items of " + type + " in " + role + " are "
                + (long) count * type.size + " bytes, and the target's items are " + access.bytes
                + "; pass counts and types of the same data on both sides");
        }
        return checked;
    }

    /** Sets the operation of an access, after its buffers. */
    static void operation(Handle handle, Access access, Op op, Datatype origin, Datatype target) {
        if (op == null || op.isNull()) {
            throw Complaints.undefined(handle, access.call, op, target);
        }
        if (op.isUsers()) {
            throw handle.error(ErrorClass.OP, access.call,
                "windows take predefined operations only, as the target may combine; pass one such as MPI.SUM");
        }
        if (op == MPI.NO_OP || op == MPI.REPLACE) {
            access.element = MPI.BYTE.layout;
            access.op = op.on(MPI.BYTE);
            return;
        }
        Arguments.operation(handle, access.call, op, target);
        if (origin.layout.kind != target.layout.kind || origin.category != target.category) {
            throw handle.error(ErrorClass.TYPE, access.call, "the origin's type is " + origin + " and the target's "
                + target + "; pass types of the same elements");
        }
        Arguments.order(handle, access.call, "the origin", access.origin, 0, origin);
        access.element = target.layout;
        access.op = op.on(target);
    }

    static void swappable(Handle handle, String call, Datatype type) {
        Arguments.type(handle, call, type);
        if ((type.category & (Datatype.INTEGER | Datatype.LOGICAL)) == 0 || type.gapped != null
            || type.size > LONGEST_SWAP) {
            throw handle.error(ErrorClass.TYPE, call,
                type + " cannot be compared and swapped; pass one integer, MPI.BOOLEAN or MPI.BYTE");
        }
    }
}

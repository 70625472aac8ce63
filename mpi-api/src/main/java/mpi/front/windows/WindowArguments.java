package mpi.front.windows;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.ErrorClass;
import mpi.front.arguments.Arguments;
import mpi.front.arguments.Complaints;
import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.job.MemberLists;
import mpi.front.types.Bytes;
import mpi.front.types.ItemType;
import mpi.front.types.ReductionOperation;
import mpi.spi.DeviceBuffer;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeMap;
import mpi.spi.window.Access;

/** Checks the arguments of {@code Win}'s calls, and makes an {@link Access} of them. */
public final class WindowArguments {
    /** The bytes that compareAndSwap takes at most. */
    private static final int LONGEST_SWAP = 8;

    private WindowArguments() {
    }

    // ---- memory ----

    /**
     * The memory behind a rank's buffer, which others read and write: an NIO buffer, an array or a
     * {@link mpi.spi.DeviceBuffer}.
     */
    public static Object memory(Handle handle, String call, Object base) {
        require(handle, call, base);
        Object memory = Arguments.usable(handle, call, "the buffer", base, ItemType.BYTE, true);
        if (memory instanceof Buffer && !(memory instanceof ByteBuffer)
            && Arguments.orderOf((Buffer) memory) != ByteOrder.nativeOrder()) {
            throw handle.error(ErrorClass.BUFFER, call, "the buffer has its bytes in foreign order ("
                + Arguments.orderOf((Buffer) memory) + "), in which ranks cannot add up; make it by MPI.newIntBuffer"
                + " and its like, or set ByteOrder.nativeOrder() before viewing bytes as numbers");
        }
        return memory;
    }

    /** Checks the buffer that only tells the kind of elements. */
    public static void require(Handle handle, String call, Object base) {
        if (base == null) {
            throw handle.error(ErrorClass.BUFFER, call,
                "the buffer is null; pass one, which may have no elements (MPI.newByteBuffer(0))");
        }
    }

    /**
     * Checks the size of a rank's memory; returns its bytes. A size beyond the buffer's end is cut: Open MPI's own
     * programs pass empty buffers with the other ranks' size.
     *
     * @param limited whether the size is cut to the buffer
     */
    public static long bytes(Handle handle, String call, Object memory, int size, boolean limited) {
        if (size < 0) {
            throw handle.error(ErrorClass.SIZE, call, "size " + size + " is negative; pass 0 or more elements");
        }
        long bytes = (long) size << shiftOf(memory);
        if (limited) {
            bytes = Math.min(bytes, Arguments.capacity(memory));
        }
        if (bytes > Integer.MAX_VALUE) {
            throw handle.error(ErrorClass.SIZE, call, "a rank's memory in a window has at most 2 GiB - 1, and this is "
                + bytes + " bytes; make several windows");
        }
        return bytes;
    }

    public static int unit(Handle handle, String call, Object memory, int dispUnit) {
        if (dispUnit <= 0 || dispUnit > Integer.MAX_VALUE >> shiftOf(memory)) {
            throw handle.error(ErrorClass.DISP, call,
                "displacement unit " + dispUnit + " is "
                    + (dispUnit <= 0 ? "not positive; pass 1" : "too large; pass 1")
                    + ", or a number of elements of the buffer");
        }
        return dispUnit << shiftOf(memory);
    }

    /** log2 of the bytes of an element; device memory is counted in bytes. */
    private static int shiftOf(Object memory) {
        return memory instanceof DeviceBuffer ? 0
            : memory instanceof Buffer ? Bytes.shiftOf((Buffer) memory) : Bytes.shiftOf(memory.getClass());
    }

    // ---- who ----

    /** Whether there is such a target: a rank and not {@code MPI.PROC_NULL}. */
    public static boolean target(Handle handle, String call, int rank) {
        if (rank == Constants.PROC_NULL) {
            return false;
        }
        rank(handle, call, rank);
        return true;
    }

    public static void rank(Handle handle, String call, int rank) {
        if (rank < 0 || rank >= handle.size) {
            throw handle.error(ErrorClass.RANK, call,
                "target " + rank + " is not a rank; pass 0 <= rank < " + handle.size);
        }
    }

    /**
     * The ranks of a group in the window.
     *
     * @param group null if it is null or has been freed
     * @param members of the window
     */
    public static int[] ranks(Handle handle, String call, int[] group, int[] members) {
        if (group == null) {
            throw handle.error(ErrorClass.GROUP, call, "the group is null or has been freed; pass one of ranks of the"
                + " window, such as getGroup().incl(...)");
        }
        int[] ranks = MemberLists.ranksAmong(group, members);
        for (int each : ranks) {
            if (each == Constants.UNDEFINED) {
                throw handle.error(ErrorClass.GROUP, call,
                    "the group has a process that is not in the window; pass ranks of the window's getGroup()");
            }
        }
        return ranks;
    }

    /** @param known the assertions that a call takes, combined by {@code |} */
    public static void assertion(Handle handle, String call, int assertion, int known) {
        if ((assertion & ~known) != 0) {
            throw handle.error(ErrorClass.ASSERT, call, "assertion " + assertion
                + " has bits that mean nothing here; pass 0, or those of MPI.MODE_NO that the call names");
        }
    }

    // ---- accesses ----

    /** An access to a target, still without buffers. */
    public static Access access(Handle handle, String call, Access.Kind kind, int rank, int disp, int count,
        ItemType type) {
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
    public static Object buffer(Handle handle, Access access, String role, Object buffer, int count, ItemType type,
        boolean written) {
        Object checked = Arguments.buffer(handle, access.call, role, buffer, 0, count, 1, type, written);
        if ((long) count * type.size != access.bytes) {
            throw handle.error(ErrorClass.COUNT, access.call, count + " items of " + type + " in " + role + " are "
                + (long) count * type.size + " bytes, and the target's items are " + access.bytes
                + "; pass counts and types of the same data on both sides");
        }
        return checked;
    }

    /** Sets the operation of an access, after its buffers. */
    public static void operation(Handle handle, Access access, ReductionOperation op, ItemType origin,
        ItemType target) {
        if (op == null || op.isNull()) {
            throw Complaints.undefined(handle, access.call, op, target);
        }
        if (op.isUsers()) {
            throw handle.error(ErrorClass.OP, access.call,
                "windows take predefined operations only, as the target may combine; pass one such as MPI.SUM");
        }
        if (op.is(Operator.NO_OP) || op.is(Operator.REPLACE)) {
            access.element = ItemType.BYTE.layout();
            access.op = op.on(ItemType.BYTE);
            return;
        }
        Arguments.operation(handle, access.call, op, target);
        Arguments.binary(handle, access.call, op);
        if (origin.layout().kind != target.layout().kind || origin.category != target.category) {
            throw handle.error(ErrorClass.TYPE, access.call, "the origin's type is " + origin + " and the target's "
                + target + "; pass types of the same elements");
        }
        Arguments.order(handle, access.call, "the origin", access.origin, 0, origin);
        access.element = target.layout();
        access.op = op.on(target);
    }

    public static void swappable(Handle handle, String call, ItemType type) {
        Arguments.type(handle, call, type);
        if ((type.category & (ItemType.INTEGER | ItemType.LOGICAL)) == 0 || type.gapped != null
            || type.size > LONGEST_SWAP) {
            throw handle.error(ErrorClass.TYPE, call,
                type + " cannot be compared and swapped; pass one integer, MPI.BOOLEAN or MPI.BYTE");
        }
    }
}

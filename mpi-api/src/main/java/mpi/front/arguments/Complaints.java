package mpi.front.arguments;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.front.job.Handle;
import mpi.front.types.ItemType;
import mpi.front.types.ReductionOperation;
import mpi.spi.DeviceBuffer;

/** The wording of what {@link Arguments} finds wrong: the argument, the numbers, the cure. */
public final class Complaints {
    private Complaints() {
    }

    /** {@code double[1000]}, {@code DoubleBuffer of capacity 1000}, {@code device memory of 8000 bytes on GPU 0}. */
    public static String describe(Object buffer) {
        if (buffer == null) {
            return "null";
        }
        if (buffer instanceof Buffer) {
            return nioName(buffer) + " of capacity " + ((Buffer) buffer).capacity();
        }
        if (buffer instanceof DeviceBuffer) {
            return buffer.toString();
        }
        Class<?> component = buffer.getClass().getComponentType();
        return component == null ? buffer.getClass().getName()
            : component.getSimpleName() + "[" + Array.getLength(buffer) + "]";
    }

    private static String nioName(Object buffer) {
        return buffer instanceof ByteBuffer ? "ByteBuffer"
            : buffer instanceof CharBuffer ? "CharBuffer"
                : buffer instanceof ShortBuffer ? "ShortBuffer"
                    : buffer instanceof IntBuffer ? "IntBuffer"
                        : buffer instanceof LongBuffer ? "LongBuffer"
                            : buffer instanceof FloatBuffer ? "FloatBuffer"
                                : buffer instanceof DoubleBuffer ? "DoubleBuffer"
                                    : "Buffer";
    }

    /** As {@link #describe}, with an article where there is one. */
    private static String phrase(Object buffer) {
        return buffer instanceof DeviceBuffer ? describe(buffer) : article(describe(buffer));
    }

    public static String article(String word) {
        return "aeiouAEIOU".indexOf(word.charAt(0)) >= 0 ? "an " + word : "a " + word;
    }

    static MPIException unfitBuffer(Handle handle, String call, String role, Object buffer, ItemType type) {
        String element = type.arrayClass.getComponentType().getSimpleName();
        if (buffer == null) {
            return handle.error(ErrorClass.BUFFER, call,
                role + " is null, and null is for no items only; pass " + article(element)
                    + "[] or an NIO buffer for " + type);
        }
        return handle.error(ErrorClass.TYPE, call,
            role + " is " + article(describe(buffer)) + ", but " + type + " lies in " + article(element)
                + "[] or an NIO buffer; pass such a buffer");
    }

    static MPIException tooShort(Handle handle, String call, String role, Object buffer, int offset, int count,
        int blocks, ItemType type) {
        long capacity = Arguments.capacity(buffer);
        long room = capacity - ((long) offset << type.shift);
        String given = role + " is " + phrase(buffer);
        if (room < 0) {
            return handle.error(ErrorClass.BUFFER, call,
                "offset " + offset + " lies behind the end: " + given + "; pass offset <= " + (capacity >> type.shift));
        }
        if (type.gapped != null) {
            long items = (long) count * blocks;
            return handle.error(ErrorClass.COUNT, call, "count " + count + " of " + type
                + (blocks == 1 ? "" : " for each of " + blocks + " blocks")
                + (offset == 0 ? "" : " from offset " + offset) + " reaches from byte "
                + (((long) offset << type.shift) + type.lowest(items)) + " to byte "
                + (((long) offset << type.shift) + type.highest(items)) + ", but " + given
                + "; pass a smaller count or a longer buffer, and an offset at which no item begins before the buffer");
        }
        return handle.error(ErrorClass.COUNT, call,
            "count " + count + " of " + type + (blocks == 1 ? "" : " for each of " + blocks + " blocks")
                + (offset == 0 ? "" : " from offset " + offset) + " needs " + (long) count * type.size * blocks
                + " bytes, but " + given
                + "; pass count <= " + room / Math.max(1, type.size) / Math.max(1, blocks) + " or a longer "
                + (buffer instanceof Buffer ? "buffer" : buffer instanceof DeviceBuffer ? "allocation" : "array"));
    }

    static MPIException blockOutside(Handle handle, String call, String role, Object buffer, int offset, int count,
        int displacement, int peer, String peers, ItemType type) {
        long room = Arguments.capacity(buffer) - ((long) offset << type.shift);
        return handle.error(ErrorClass.COUNT, call,
            "the block of " + peers + " " + peer + ", count " + count + " of " + type + " at displacement "
                + displacement
                + (offset == 0 ? "" : " from offset " + offset) + ", lies outside " + role + ", " + phrase(buffer)
                + "; keep 0 <= displacement and displacement + count <= "
                + Math.max(0, room / Math.max(1, type.shape.extent())));
    }

    static MPIException bytesOutside(Handle handle, String call, String role, Object buffer, int count,
        int displacement, int rank, ItemType type) {
        return handle.error(ErrorClass.COUNT, call,
            "the block of rank " + rank + ", count " + count + " of " + type + " at byte " + displacement
                + ", lies outside " + role + ", " + phrase(buffer)
                + "; keep 0 <= displacement and displacement + count * " + type.shape.extent()
                + " <= " + Arguments.capacity(buffer));
    }

    static MPIException misaligned(Handle handle, String call, String role, long address, ItemType type) {
        return handle.error(ErrorClass.BUFFER, call,
            role + " begins at device address 0x" + Long.toHexString(address) + ", and " + type
                + " cannot be reduced there; begin at a multiple of "
                + type.alignment() + " bytes");
    }

    public static MPIException overlapping(Handle handle, String call, String role, ItemType type) {
        return handle.error(ErrorClass.TYPE, call, "elements of " + type + " share memory, so nothing can be received"
            + " into " + role + "; receive with a type whose elements lie apart");
    }

    public static MPIException negativeCount(Handle handle, String call, String role, int[] counts, int peer,
        String peers) {
        return handle.error(ErrorClass.COUNT, call,
            "count " + counts[peer] + " of " + peers + " " + peer + " in " + role + " is negative; pass 0 or more");
    }

    public static MPIException tooFew(Handle handle, String call, String role, String what, int length, int number,
        String peers) {
        return handle.error(ErrorClass.ARG, call,
            "the " + what + " of " + role + (length < 0 ? " are null" : " are " + length)
                + "; pass one for each of " + number + " " + peers + "s");
    }

    public static MPIException undefined(Handle handle, String call, ReductionOperation op, ItemType type) {
        if (op == null) {
            return handle.error(ErrorClass.OP, call, "the operation is null; pass one such as MPI.SUM");
        }
        if (op.isNull()) {
            return handle.error(ErrorClass.OP, call, "the operation has been freed; free it after its last use");
        }
        return handle.error(ErrorClass.OP, call,
            op + " is not defined on " + type + "; pass " + instead(type) + ", or an Op of your own");
    }

    /** Operations that are defined on the type. */
    private static String instead(ItemType type) {
        switch (type.category) {
            case ItemType.INTEGER :
                return "MAX, MIN, SUM, PROD, a logical or a bitwise operation (MINLOC and MAXLOC are for pairs such as"
                    + " MPI.INT2)";
            case ItemType.FLOATING :
                return "MAX, MIN, SUM, PROD or AVG (MINLOC and MAXLOC are for pairs such as MPI.DOUBLE2)";
            case ItemType.LOGICAL :
                return "MAX, MIN, SUM, PROD, a logical or a bitwise operation";
            case ItemType.COMPLEX :
                return "SUM or PROD";
            case ItemType.PAIR :
                return "MINLOC or MAXLOC";
            default :
                return "a type with numbers in it";
        }
    }
}

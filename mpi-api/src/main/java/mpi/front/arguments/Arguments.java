package mpi.front.arguments;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import mpi.ErrorClass;
import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.front.types.Bytes;
import mpi.front.types.ItemType;
import mpi.front.types.ReductionOperation;
import mpi.front.types.TypeShape;
import mpi.spi.DeviceBuffer;
import mpi.spi.TypeMap;
import mpi.spi.TypedBuffer;

/**
 * Checks of arguments. The checks themselves are a few comparisons and allocate nothing; what they find wrong is worded
 * by {@link Complaints}, out of line.
 */
public final class Arguments {
    private Arguments() {
    }

    /**
     * Checks that {@code blocks} times {@code count} items fit in a buffer behind an offset.
     *
     * @param role the parameter's name
     * @param offset in elements of the type's array
     * @param blocks how many ranks there are count items for
     * @param written whether the call writes to the buffer
     * @return the buffer to hand down: the caller's, or an empty array for a null one of no items
     */
    public static Object buffer(Handle handle, String call, String role, Object buffer, int offset, int count,
        int blocks,
        ItemType type, boolean written) {
        if (type != null && buffer != null && buffer.getClass() == type.direct() && (count | offset) >= 0
            && ((long) offset << type.shift)
                + (long) count * type.size * blocks <= (long) Array.getLength(buffer) << type.shift) {
            return buffer;
        }
        return isPlain(buffer, offset, count, blocks, type, written) ? buffer
            : unusual(handle, call, role, buffer, offset, count, blocks, type, written);
    }

    /** Whether it is a direct ByteBuffer that has room for items without gaps. */
    private static boolean isPlain(Object buffer, int offset, int count, int blocks, ItemType type, boolean written) {
        return buffer instanceof ByteBuffer && type != null && type.direct() != null && (count | offset) >= 0
            && ((long) offset << type.shift) + (long) count * type.size * blocks <= ((ByteBuffer) buffer).capacity()
            && ((ByteBuffer) buffer).isDirect() && !(written && ((ByteBuffer) buffer).isReadOnly());
    }

    /** Other NIO buffers, items with gaps, null buffers of no items, and everything that is wrong. */
    private static Object unusual(Handle handle, String call, String role, Object buffer, int offset, int count,
        int blocks, ItemType type, boolean written) {
        type(handle, call, type);
        if (type.holdsObjects) {
            throw handle.error(ErrorClass.TYPE, call, type + " holds objects, which this call cannot take; use"
                + " point-to-point calls or blocking collectives, or another type");
        }
        if (count < 0) {
            throw handle.error(ErrorClass.COUNT, call,
                "count " + count + " is negative; pass 0 or more items of " + type);
        }
        if (buffer == null && (count == 0 || blocks == 0)) {
            if (offset != 0) {
                throw handle.error(ErrorClass.BUFFER, call,
                    "offset " + offset + " lies behind the end: " + role + " is null; pass offset 0");
            }
            return type.emptyArray;
        }
        Object usable = usable(handle, call, role, buffer, type, written);
        if (offset < 0) {
            throw handle.error(ErrorClass.BUFFER, call,
                "offset " + offset + " of " + role + " is negative; pass 0 or more elements");
        }
        offsetOfOwn(handle, call, role, usable, offset, type);
        long base = (long) offset << type.shift;
        long items = (long) count * blocks;
        SliceOrigin around = base + type.lowest(items) < 0 ? SliceOrigin.around(usable) : null;
        if (base + type.highest(items) > capacity(usable)
            || base + type.lowest(items) < (around == null ? 0 : -around.begin)) {
            throw Complaints.tooShort(handle, call, role, usable, offset, count, blocks, type);
        }
        return typed(handle, call, role, usable, around, base, type, written);
    }

    /** The buffer as calls hand it down, with items of the type from a byte on. */
    private static Object typed(Handle handle, String call, String role, Object usable, SliceOrigin around, long base,
        ItemType type, boolean written) {
        if (type.gapped == null) {
            return usable;
        }
        if (written && type.overlaps()) {
            throw Complaints.overlapping(handle, call, role, type);
        }
        return reachingBack(usable, around, base, type.gapped);
    }

    /** @param around what lies around the buffer if items begin before it, else null */
    private static TypedBuffer reachingBack(Object usable, SliceOrigin around, long base, TypeMap items) {
        return around == null ? new TypedBuffer(usable, base, items)
            : new TypedBuffer(around.whole, around.begin + base, items);
    }

    /**
     * Checks that blocks of items at displacements fit in a buffer behind an offset.
     *
     * @param blocks the number of blocks
     * @param peers whom they are for, in messages: {@code rank}
     * @param counts items of each block
     * @param displacements where each block begins, in extents of the type
     * @return as for {@link #buffer}
     */
    public static Object blocks(Handle handle, String call, String role, Object buffer, int offset, int blocks,
        String peers,
        int[] counts, int[] displacements, ItemType type, boolean written) {
        type(handle, call, type);
        perPeer(handle, call, role, "counts", counts, blocks, peers);
        perPeer(handle, call, role, "displacements", displacements, blocks, peers);
        Object usable = null;
        SliceOrigin around = null;
        long capacity = 0;
        long base = (long) offset << type.shift;
        for (int peer = 0; peer < blocks; peer++) {
            if (counts[peer] < 0) {
                throw Complaints.negativeCount(handle, call, role, counts, peer, peers);
            }
            if (counts[peer] != 0) {
                if (usable == null) {
                    usable = usable(handle, call, role, buffer, type, written);
                    offsetOfOwn(handle, call, role, usable, offset, type);
                    capacity = capacity(usable);
                }
                long from = base + displacements[peer] * type.shape.extent();
                if (around == null && type.gapped != null && from + type.lowest(counts[peer]) < 0) {
                    around = SliceOrigin.around(usable);
                }
                if (from + type.lowest(counts[peer]) < (around == null ? 0 : -around.begin)
                    || from + type.highest(counts[peer]) > capacity) {
                    throw Complaints.blockOutside(handle, call, role, usable, offset, counts[peer], displacements[peer],
                        peer, peers, type);
                }
            }
        }
        return usable == null ? type.emptyArray : typed(handle, call, role, usable, around, base, type, written);
    }

    /**
     * As {@link #blocks}, with a type for each rank and displacements in bytes. If a type has gaps, the buffer returned
     * has the blocks packed side by side.
     */
    public static Object typedBlocks(Handle handle, String call, String role, Object buffer, int[] counts,
        int[] displacements,
        ItemType[] types, boolean written) {
        perPeer(handle, call, role, "counts", counts, handle.size, "rank");
        perPeer(handle, call, role, "displacements", displacements, handle.size, "rank");
        if (types == null || types.length < handle.size) {
            throw Complaints.tooFew(handle, call, role, "types", types == null ? -1 : types.length,
                handle.size, "rank");
        }
        Object usable = null;
        SliceOrigin around = null;
        boolean gaps = false;
        for (int rank = 0; rank < handle.size; rank++) {
            if (counts[rank] < 0) {
                throw Complaints.negativeCount(handle, call, role, counts, rank, "rank");
            }
            if (counts[rank] != 0) {
                type(handle, call, types[rank]);
                if (usable == null) {
                    usable = usable(handle, call, role, buffer, types[rank], written);
                }
                long from = displacements[rank];
                long lowest = from + types[rank].lowest(counts[rank]);
                if (lowest < 0 && around == null) {
                    around = SliceOrigin.around(usable);
                }
                gaps |= lowest < 0; // plain blocks before the buffer need what is around it, too
                if (lowest < (around == null ? 0 : -around.begin)
                    || from + types[rank].highest(counts[rank]) > capacity(usable)) {
                    throw Complaints.bytesOutside(handle, call, role, usable, counts[rank], displacements[rank], rank,
                        types[rank]);
                }
                if (types[rank].gapped != null) {
                    gaps = true;
                    if (written && types[rank].overlaps()) {
                        throw Complaints.overlapping(handle, call, role, types[rank]);
                    }
                }
            }
        }
        return usable == null ? ItemType.BYTE.emptyArray
            : gaps ? reachingBack(usable, around, 0, packedBlocks(handle.size, counts, displacements, types)) : usable;
    }

    private static TypeMap packedBlocks(int ranks, int[] counts, int[] displacements, ItemType[] types) {
        TypeMap[] blocks = new TypeMap[ranks];
        long[] places = new long[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            TypeShape shape = counts[rank] == 0 ? ItemType.BYTE.shape : types[rank].shape; // of no items any type will
                                                                                           // do
            blocks[rank] = TypeMap.repeated(shape.map, counts[rank], shape.extent());
            places[rank] = displacements[rank];
        }
        return TypeMap.sequence(blocks, places);
    }

    public static void perPeer(Handle handle, String call, String role, String what, int[] values, int number,
        String peers) {
        if (values == null || values.length < number) {
            throw Complaints.tooFew(handle, call, role, what, values == null ? -1 : values.length, number, peers);
        }
    }

    /** The buffer in the form the layers below take, if there is one. */
    public static Object usable(Handle handle, String call, String role, Object buffer, ItemType type,
        boolean written) {
        if (buffer instanceof Buffer) {
            Buffer nio = (Buffer) buffer;
            if (written && nio.isReadOnly()) {
                throw handle.error(ErrorClass.BUFFER, call,
                    role + " is a read-only " + Complaints.describe(buffer) + "; pass one that can be written to");
            }
            if (!nio.isDirect() && !nio.hasArray()) {
                throw handle.error(ErrorClass.BUFFER, call, role + " is "
                    + Complaints.article(Complaints.describe(buffer))
                    + " that is neither direct nor gives access to its array; pass a direct buffer (MPI.newByteBuffer)"
                    + " or an array");
            }
            return buffer;
        }
        if (isArray(buffer)) {
            return buffer;
        }
        return pointedTo(handle, call, role, buffer, type, written);
    }

    /** Whether it is an array of primitives. One of another kind than the type's is the bytes that lie in it. */
    private static boolean isArray(Object buffer) {
        Class<?> element = buffer == null ? null : buffer.getClass().getComponentType();
        return element != null && element.isPrimitive();
    }

    /**
     * Refuses an offset into an array of another kind than the type's: programs count it in elements of the one or of
     * the other.
     */
    private static void offsetOfOwn(Handle handle, String call, String role, Object usable, int offset, ItemType type) {
        if (offset != 0 && usable.getClass() != type.arrayClass && isArray(usable)) {
            throw handle.error(ErrorClass.TYPE, call,
                "offset " + offset + " into " + role + ", " + Complaints.article(Complaints.describe(usable))
                    + ", could count its elements or those of " + type + "; pass offset 0, or the type of the array");
        }
    }

    /** What a pointer object of the user's leads to: device memory, or the array or NIO buffer that it wraps. */
    private static Object pointedTo(Handle handle, String call, String role, Object buffer, ItemType type,
        boolean written) {
        if (buffer == null || buffer.getClass().isArray()) {
            throw Complaints.unfitBuffer(handle, call, role, buffer, type);
        }
        Object below;
        try {
            below = JobState.provider(call).underlying(buffer);
        } catch (IllegalArgumentException e) {
            throw handle.error(ErrorClass.BUFFER, call, role + " " + e.getMessage());
        }
        if (below instanceof DeviceBuffer) {
            return below;
        }
        if (below instanceof Buffer || isArray(below)) {
            return usable(handle, call, role, below, type, written);
        }
        throw Complaints.unfitBuffer(handle, call, role, buffer, type);
    }

    /** Bytes in a buffer that {@link #usable} let pass. */
    public static long capacity(Object buffer) {
        if (buffer instanceof Buffer) {
            return (long) ((Buffer) buffer).capacity() << Bytes.shiftOf((Buffer) buffer);
        }
        if (buffer instanceof DeviceBuffer) {
            return ((DeviceBuffer) buffer).bytes;
        }
        return (long) Array.getLength(buffer) << Bytes.shiftOf(buffer.getClass());
    }

    public static void type(Handle handle, String call, ItemType type) {
        if (type == null || type.layout() == null) {
            throw handle.error(ErrorClass.TYPE, call,
                "the type is " + (type == null ? "null" : type.toString()) + "; pass a type such as MPI.INT");
        }
        if (!type.isCommitted()) {
            throw handle.error(ErrorClass.TYPE, call,
                "the type, " + type + ", has not been committed; call its commit() first");
        }
    }

    public static void root(Handle handle, String call, int root) {
        if (root < 0 || root >= handle.size) {
            throw handle.error(ErrorClass.ROOT, call,
                "root " + root + " is not a rank; pass 0 <= root < " + handle.size);
        }
    }

    /** Checks a peer and a tag of a send; true if there is somebody to send to. */
    public static boolean destination(Handle handle, String call, int destination, int tag) {
        if (tag < 0) {
            throw handle.error(ErrorClass.TAG, call,
                "tag " + tag + " is negative; pass 0 <= tag <= " + Integer.MAX_VALUE
                    + (tag == Constants.ANY_TAG ? " (MPI.ANY_TAG is for receiving)" : ""));
        }
        if (destination >= 0 && destination < handle.size) {
            return true;
        }
        if (destination != Constants.PROC_NULL) {
            throw handle.error(ErrorClass.RANK, call,
                "destination " + destination + " is not a rank; pass 0 <= dest < " + handle.size + " or MPI.PROC_NULL");
        }
        return false;
    }

    /** Checks a peer and a tag of a receive or a probe; true if there is somebody to receive from. */
    public static boolean source(Handle handle, String call, int source, int tag) {
        if (tag < 0 && tag != Constants.ANY_TAG) {
            throw handle.error(ErrorClass.TAG, call,
                "tag " + tag + " is negative; pass 0 <= tag <= " + Integer.MAX_VALUE + " or MPI.ANY_TAG");
        }
        if (source >= 0 && source < handle.size || source == Constants.ANY_SOURCE) {
            return true;
        }
        if (source != Constants.PROC_NULL) {
            throw handle.error(ErrorClass.RANK, call,
                "source " + source + " is not a rank; pass 0 <= source < " + handle.size
                    + ", MPI.ANY_SOURCE or MPI.PROC_NULL");
        }
        return false;
    }

    /** Checks that the operation is defined on the type. */
    public static void operation(Handle handle, String call, ReductionOperation op, ItemType type) {
        type(handle, call, type);
        if (op == null || op.isNull() || !op.isDefinedOn(type)) {
            throw Complaints.undefined(handle, call, op, type);
        }
    }

    /** For calls that combine two values at a time, or one group's for another: an average of averages is none. */
    public static void binary(Handle handle, String call, ReductionOperation op) {
        if (!op.isBinary()) {
            throw handle.error(ErrorClass.OP, call,
                op + " combines the values of all ranks at once, in collectives of an intra-communicator; pass"
                    + " MPI.SUM");
        }
    }

    /**
     * Checks that the numbers in a buffer lie in memory as the processor, or the device, reads them; others cannot be
     * added up. The order of a ByteBuffer says nothing about what lies in it: Java resets it whenever a program slices
     * or duplicates one. The order of a view of numbers does.
     *
     * @param offset in elements of the type's array
     */
    public static void order(Handle handle, String call, String role, Object buffer, int offset, ItemType type) {
        if (buffer instanceof TypedBuffer) {
            order(handle, call, role, ((TypedBuffer) buffer).buffer, offset, type);
            return;
        }
        if (buffer instanceof Buffer && !(buffer instanceof ByteBuffer) && type.size > 1
            && orderOf((Buffer) buffer) != ByteOrder.nativeOrder()) {
            throw handle.error(ErrorClass.BUFFER, call, role + " is " + Complaints.article(Complaints.describe(buffer))
                + " in foreign byte order ("
                + orderOf((Buffer) buffer)
                + "), whose numbers cannot be reduced; make it with order(ByteOrder.nativeOrder()), or"
                + " MPI.newByteBuffer");
        }
        if (buffer instanceof DeviceBuffer) {
            long address = ((DeviceBuffer) buffer).address + ((long) offset << type.shift);
            if ((address & type.alignment() - 1) != 0) {
                throw Complaints.misaligned(handle, call, role, address, type);
            }
        }
    }

    public static ByteOrder orderOf(Buffer buffer) {
        if (buffer instanceof DoubleBuffer) {
            return ((DoubleBuffer) buffer).order();
        } else if (buffer instanceof FloatBuffer) {
            return ((FloatBuffer) buffer).order();
        } else if (buffer instanceof IntBuffer) {
            return ((IntBuffer) buffer).order();
        } else if (buffer instanceof LongBuffer) {
            return ((LongBuffer) buffer).order();
        } else if (buffer instanceof ShortBuffer) {
            return ((ShortBuffer) buffer).order();
        }
        return ((CharBuffer) buffer).order();
    }
}

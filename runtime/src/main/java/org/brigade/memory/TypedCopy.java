package org.brigade.memory;

import java.lang.reflect.Array;
import mpi.spi.TypeMap;
import mpi.spi.TypedBuffer;
import org.brigade.nativ.CompiledRuns;

/**
 * Packs stretches of a {@link TypedBuffer} into native memory and unpacks them again. Blocks of a few elements, such as
 * a column of a matrix, are copied by the loops of {@link DoubleBlocks} and its like; longer ones by one bulk copy
 * each. Outside the heap compiled code copies all of them ({@link CompiledRuns}), where it is there.
 */
final class TypedCopy implements TypeMap.Visitor {
    /** From here on a bulk copy for each block is faster. */
    private static final int WIDE = 128;
    /** From here on a call of compiled code pays. */
    private static final int WORTH_A_CALL = 256;

    private final Region region = new Region();
    private TypedBuffer buffer;
    private NativeMemory packed;
    private int next;
    private boolean unpacks;
    /** Bytes of the buffer beyond byte 0 of the region, if compiled code copies; else 0. */
    private long room;
    // Made on first use.
    private DoubleBlocks doubles;
    private FloatBlocks floats;
    private LongBlocks longs;
    private IntBlocks ints;
    private ShortBlocks shorts;
    private ByteBlocks bytes;
    private CompiledRuns runs;

    void wrap(TypedBuffer typed) {
        buffer = typed;
        region.wrap(typed.buffer, 0);
    }

    void clear() {
        buffer = null;
        region.clear();
    }

    /** {@code target[targetAt + i] = packed bytes[from + i]}. */
    void pack(long from, NativeMemory target, int targetAt, int bytes) {
        visit(from, target, targetAt, bytes, false);
    }

    /** {@code packed bytes[to + i] = source[sourceAt + i]}. */
    void unpack(long to, NativeMemory source, int sourceAt, int bytes) {
        visit(to, source, sourceAt, bytes, true);
    }

    private void visit(long from, NativeMemory memory, int at, int bytes, boolean into) {
        packed = memory;
        next = at;
        unpacks = into;
        room = bytes >= WORTH_A_CALL && region.isNative() && !region.isForeign() && CompiledRuns.work()
            ? region.bytesOutside() : 0;
        if (room == 0) {
            buffer.visit(from, from + bytes, this);
            return;
        }
        runs = runs == null ? new CompiledRuns() : runs;
        runs.begin(memory.address() + at, region.address(), into);
        buffer.visit(from, from + bytes, this);
        runs.end();
    }

    @Override
    public void blocks(long at, long stride, long bytes, long count) {
        if (room > 0) {
            long last = at + stride * (count - 1);
            if (Math.min(at, last) < -region.offset() || Math.max(at, last) + bytes > room) {
                throw new IndexOutOfBoundsException("blocks from byte " + Math.min(at, last) + " to "
                    + (Math.max(at, last) + bytes) + " of a buffer that ends at " + room);
            }
            runs.add(at, stride, bytes, count);
        } else if (count == 1 || bytes >= WIDE || !narrow(at, stride, (int) bytes, (int) count)) {
            int length = (int) bytes;
            long place = at;
            for (long i = 0; i < count; i++, place += stride, next += length) {
                if (unpacks) {
                    region.write(place, packed, next, length);
                } else {
                    region.read(place, packed, next, length);
                }
            }
        }
    }

    @Override
    public void stretches(long place, TypeMap.Stretches item, int first, int end) {
        long length = item.before[end] - item.before[first];
        if (length < WORTH_A_CALL || length / (end - first) >= WIDE || !compiled(place, item, first, end)) {
            TypeMap.Visitor.super.stretches(place, item, first, end);
        }
    }

    /** Has compiled code copy stretches of an array or of memory outside the heap; false if it cannot. */
    private boolean compiled(long place, TypeMap.Stretches item, int first, int end) {
        if (room > 0) {
            if (place + item.lowest < -region.offset() || place + item.highest > room) {
                return false;
            }
            runs.stretches(place, item.at, item.before, first, end);
            return true;
        }
        Object array = region.form() == Region.BOOLEANS ? null : region.array();
        long at = region.offset() + place;
        if (array == null || at + item.lowest < 0
            || at + item.highest > Array.getLength(array) * (region.mask + 1L)
            || !CompiledRuns.work()
            || !CompiledRuns.stretches(packed.address() + next, array, at, item.at, item.before, first, end, unpacks)) {
            return false;
        }
        next += (int) (item.before[end] - item.before[first]);
        return true;
    }

    /** Copies blocks that are a few whole elements of an array or a view; false if they are not. */
    private boolean narrow(long at, long stride, int bytes, int count) {
        long from = region.offset() + at;
        Object holder = region.base();
        int shift;
        switch (region.form()) {
            case Region.DOUBLES, Region.LONGS, Region.DOUBLE_BUFFER, Region.LONG_BUFFER -> shift = 3;
            case Region.FLOATS, Region.INTS, Region.FLOAT_BUFFER, Region.INT_BUFFER -> shift = 2;
            case Region.SHORTS, Region.SHORT_BUFFER -> shift = 1;
            case Region.BYTES -> shift = 0;
            case Region.BYTE_BUFFER -> {
                shift = ((from | stride | next | bytes) & 7) == 0 ? 3 : 2;
                holder = !region.isNative() ? null : shift == 3 ? region.views().longs() : region.views().ints();
            }
            default -> {
                return false;
            }
        }
        if (((from | stride | next | bytes) & (1 << shift) - 1) != 0 || region.isForeign() || holder == null) {
            return false;
        }
        copy(holder, shift, (int) (from >> shift), (int) (stride >> shift), bytes >> shift, count);
        next += count * bytes;
        return true;
    }

    private void copy(Object holder, int shift, int first, int step, int length, int count) {
        int slot = next >> shift;
        switch (region.form()) {
            case Region.DOUBLES, Region.DOUBLE_BUFFER -> {
                doubles = doubles == null ? new DoubleBlocks() : doubles;
                doubles.copy(holder, first, step, length, count, packed, slot, unpacks);
            }
            case Region.FLOATS, Region.FLOAT_BUFFER -> {
                floats = floats == null ? new FloatBlocks() : floats;
                floats.copy(holder, first, step, length, count, packed, slot, unpacks);
            }
            case Region.SHORTS, Region.SHORT_BUFFER -> {
                shorts = shorts == null ? new ShortBlocks() : shorts;
                shorts.copy(holder, first, step, length, count, packed, slot, unpacks);
            }
            case Region.BYTES -> {
                bytes = bytes == null ? new ByteBlocks() : bytes;
                bytes.copy(holder, first, step, length, count, packed, slot, unpacks);
            }
            default -> {
                if (shift == 3) {
                    longs = longs == null ? new LongBlocks() : longs;
                    longs.copy(holder, first, step, length, count, packed, slot, unpacks);
                } else {
                    ints = ints == null ? new IntBlocks() : ints;
                    ints.copy(holder, first, step, length, count, packed, slot, unpacks);
                }
            }
        }
    }
}

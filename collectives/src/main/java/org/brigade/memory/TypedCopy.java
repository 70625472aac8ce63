package org.brigade.memory;

import java.nio.ByteBuffer;
import mpi.spi.TypeMap;
import mpi.spi.TypedBuffer;

/**
 * Packs stretches of a {@link TypedBuffer} into native memory and unpacks them again. Blocks of one element, such as a
 * column of a matrix, are copied by loops over the array; longer ones by one bulk copy each.
 */
final class TypedCopy implements TypeMap.Visitor {
    private final Region region = new Region();
    private TypedBuffer buffer;
    private NativeMemory packed;
    private int next;
    private boolean unpacks;

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
        buffer.visit(from, from + bytes, this);
    }

    @Override
    public void blocks(long at, long stride, long bytes, long count) {
        if (count == 1 || !elements(at, stride, bytes, (int) count)) {
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

    /** Copies blocks that are one element of the array, or of 8 or 4 bytes in a ByteBuffer; false if they are not. */
    private boolean elements(long at, long stride, long bytes, int count) {
        long from = region.offset() + at;
        int unit = (int) bytes;
        if (((from | stride | next) & unit - 1) != 0) {
            return false;
        }
        int step = (int) (stride / bytes);
        int first = (int) (from / bytes);
        int slot = next / unit;
        switch (region.form()) {
            case Region.DOUBLES -> {
                if (unit != 8) {
                    return false;
                }
                doubles((double[]) region.base(), first, step, slot, count);
            }
            case Region.LONGS -> {
                if (unit != 8) {
                    return false;
                }
                longs((long[]) region.base(), first, step, slot, count);
            }
            case Region.FLOATS -> {
                if (unit != 4) {
                    return false;
                }
                floats((float[]) region.base(), first, step, slot, count);
            }
            case Region.INTS -> {
                if (unit != 4) {
                    return false;
                }
                ints((int[]) region.base(), first, step, slot, count);
            }
            case Region.BYTES -> {
                if (unit != 1) {
                    return false;
                }
                bytes((byte[]) region.base(), first, step, count);
            }
            case Region.BYTE_BUFFER -> {
                if (unit != 8 && unit != 4) {
                    return false;
                }
                words((ByteBuffer) region.base(), (int) from, (int) stride, unit, count);
            }
            default -> {
                return false;
            }
        }
        next += count * unit;
        return true;
    }

    private void doubles(double[] array, int first, int step, int slot, int count) {
        if (unpacks) {
            for (int i = 0; i < count; i++) {
                array[first + i * step] = packed.doubles.get(slot + i);
            }
        } else {
            for (int i = 0; i < count; i++) {
                packed.doubles.put(slot + i, array[first + i * step]);
            }
        }
    }

    private void longs(long[] array, int first, int step, int slot, int count) {
        if (unpacks) {
            for (int i = 0; i < count; i++) {
                array[first + i * step] = packed.longs.get(slot + i);
            }
        } else {
            for (int i = 0; i < count; i++) {
                packed.longs.put(slot + i, array[first + i * step]);
            }
        }
    }

    private void floats(float[] array, int first, int step, int slot, int count) {
        if (unpacks) {
            for (int i = 0; i < count; i++) {
                array[first + i * step] = packed.floats.get(slot + i);
            }
        } else {
            for (int i = 0; i < count; i++) {
                packed.floats.put(slot + i, array[first + i * step]);
            }
        }
    }

    private void ints(int[] array, int first, int step, int slot, int count) {
        if (unpacks) {
            for (int i = 0; i < count; i++) {
                array[first + i * step] = packed.ints.get(slot + i);
            }
        } else {
            for (int i = 0; i < count; i++) {
                packed.ints.put(slot + i, array[first + i * step]);
            }
        }
    }

    private void bytes(byte[] array, int first, int step, int count) {
        if (unpacks) {
            for (int i = 0; i < count; i++) {
                array[first + i * step] = packed.bytes.get(next + i);
            }
        } else {
            for (int i = 0; i < count; i++) {
                packed.bytes.put(next + i, array[first + i * step]);
            }
        }
    }

    private void words(ByteBuffer from, int first, int stride, int unit, int count) {
        // Both sides have the same order, whichever it is: the bytes stay as they are.
        ByteBuffer bytes = from.order() == packed.bytes.order() ? from : from.duplicate().order(packed.bytes.order());
        for (int i = 0; i < count; i++) {
            int at = first + i * stride;
            int slot = next + i * unit;
            if (unit == 8 && unpacks) {
                bytes.putLong(at, packed.bytes.getLong(slot));
            } else if (unit == 8) {
                packed.bytes.putLong(slot, bytes.getLong(at));
            } else if (unpacks) {
                bytes.putInt(at, packed.bytes.getInt(slot));
            } else {
                packed.bytes.putInt(slot, bytes.getInt(at));
            }
        }
    }
}

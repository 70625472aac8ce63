package org.brigade.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Bulk moves of elements between a region and a primitive array, where one copy can do it: both methods of each kind answer
 * false, having done nothing, where it cannot (the bytes are held in an array of another kind, an order is foreign, a position
 * is off the boundaries), and the caller then goes through native memory with {@link Region#read} and {@link Region#write}.
 *
 * <p>Up to {@link #FEW} elements of a ByteBuffer are read one by one, which is quicker than a bulk copy and needs no view.
 */
public final class Elements {
    /** Elements from which on a bulk copy is worth its start. */
    public static final int FEW = 6;

    private static final ByteOrder NATIVE = ByteOrder.nativeOrder();

    private Elements() {
    }
    /** {@code to[index + i] = region[at + i]} for double elements; false if not possible in one copy. */
    public static boolean get(Region region, long at, double[] to, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case DOUBLES -> System.arraycopy(region.base(), (int) (position >> 3), to, index, count);
            case DOUBLE_BUFFER -> {
                if (region.isForeign()) {
                    return false;
                }
                ((DoubleBuffer) region.base()).get((int) (position >> 3), to, index, count);
            }
            case BYTE_BUFFER -> {
                if (count <= FEW) {
                    ByteBuffer buffer = (ByteBuffer) region.base();
                    for (int i = 0; i < count; i++) {
                        to[index + i] = buffer.order() == NATIVE ? buffer.getDouble((int) position + (i << 3))
                            : Double.longBitsToDouble(Long.reverseBytes(buffer.getLong((int) position + (i << 3))));
                    }
                } else if ((position & 7) == 0 && region.isNative()) {
                    region.views().doubles().get((int) (position >> 3), to, index, count);
                } else {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** {@code region[at + i] = from[index + i]} for double elements; false if not possible in one copy. */
    public static boolean put(Region region, long at, double[] from, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case DOUBLES -> System.arraycopy(from, index, region.base(), (int) (position >> 3), count);
            case DOUBLE_BUFFER -> {
                if (region.isForeign()) {
                    return false;
                }
                ((DoubleBuffer) region.base()).put((int) (position >> 3), from, index, count);
            }
            case BYTE_BUFFER -> {
                if (count <= FEW) {
                    ByteBuffer buffer = (ByteBuffer) region.base();
                    for (int i = 0; i < count; i++) {
                        if (buffer.order() == NATIVE) {
                            buffer.putDouble((int) position + (i << 3), from[index + i]);
                        } else {
                            buffer.putLong((int) position + (i << 3), Long.reverseBytes(Double.doubleToRawLongBits(from[index + i])));
                        }
                    }
                } else if ((position & 7) == 0 && region.isNative()) {
                    region.views().doubles().put((int) (position >> 3), from, index, count);
                } else {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** {@code to[index + i] = region[at + i]} for float elements; false if not possible in one copy. */
    public static boolean get(Region region, long at, float[] to, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case FLOATS -> System.arraycopy(region.base(), (int) (position >> 2), to, index, count);
            case FLOAT_BUFFER -> {
                if (region.isForeign()) {
                    return false;
                }
                ((FloatBuffer) region.base()).get((int) (position >> 2), to, index, count);
            }
            case BYTE_BUFFER -> {
                if (count <= FEW) {
                    ByteBuffer buffer = (ByteBuffer) region.base();
                    for (int i = 0; i < count; i++) {
                        to[index + i] = buffer.order() == NATIVE ? buffer.getFloat((int) position + (i << 2))
                            : Float.intBitsToFloat(Integer.reverseBytes(buffer.getInt((int) position + (i << 2))));
                    }
                } else if ((position & 3) == 0 && region.isNative()) {
                    region.views().floats().get((int) (position >> 2), to, index, count);
                } else {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** {@code region[at + i] = from[index + i]} for float elements; false if not possible in one copy. */
    public static boolean put(Region region, long at, float[] from, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case FLOATS -> System.arraycopy(from, index, region.base(), (int) (position >> 2), count);
            case FLOAT_BUFFER -> {
                if (region.isForeign()) {
                    return false;
                }
                ((FloatBuffer) region.base()).put((int) (position >> 2), from, index, count);
            }
            case BYTE_BUFFER -> {
                if (count <= FEW) {
                    ByteBuffer buffer = (ByteBuffer) region.base();
                    for (int i = 0; i < count; i++) {
                        if (buffer.order() == NATIVE) {
                            buffer.putFloat((int) position + (i << 2), from[index + i]);
                        } else {
                            buffer.putInt((int) position + (i << 2), Integer.reverseBytes(Float.floatToRawIntBits(from[index + i])));
                        }
                    }
                } else if ((position & 3) == 0 && region.isNative()) {
                    region.views().floats().put((int) (position >> 2), from, index, count);
                } else {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** {@code to[index + i] = region[at + i]} for int elements; false if not possible in one copy. */
    public static boolean get(Region region, long at, int[] to, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case INTS -> System.arraycopy(region.base(), (int) (position >> 2), to, index, count);
            case INT_BUFFER -> {
                if (region.isForeign()) {
                    return false;
                }
                ((IntBuffer) region.base()).get((int) (position >> 2), to, index, count);
            }
            case BYTE_BUFFER -> {
                if (count <= FEW) {
                    ByteBuffer buffer = (ByteBuffer) region.base();
                    for (int i = 0; i < count; i++) {
                        to[index + i] = buffer.order() == NATIVE ? buffer.getInt((int) position + (i << 2))
                            : Integer.reverseBytes(buffer.getInt((int) position + (i << 2)));
                    }
                } else if ((position & 3) == 0 && region.isNative()) {
                    region.views().ints().get((int) (position >> 2), to, index, count);
                } else {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** {@code region[at + i] = from[index + i]} for int elements; false if not possible in one copy. */
    public static boolean put(Region region, long at, int[] from, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case INTS -> System.arraycopy(from, index, region.base(), (int) (position >> 2), count);
            case INT_BUFFER -> {
                if (region.isForeign()) {
                    return false;
                }
                ((IntBuffer) region.base()).put((int) (position >> 2), from, index, count);
            }
            case BYTE_BUFFER -> {
                if (count <= FEW) {
                    ByteBuffer buffer = (ByteBuffer) region.base();
                    for (int i = 0; i < count; i++) {
                        if (buffer.order() == NATIVE) {
                            buffer.putInt((int) position + (i << 2), from[index + i]);
                        } else {
                            buffer.putInt((int) position + (i << 2), Integer.reverseBytes(from[index + i]));
                        }
                    }
                } else if ((position & 3) == 0 && region.isNative()) {
                    region.views().ints().put((int) (position >> 2), from, index, count);
                } else {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** {@code to[index + i] = region[at + i]} for long elements; false if not possible in one copy. */
    public static boolean get(Region region, long at, long[] to, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case LONGS -> System.arraycopy(region.base(), (int) (position >> 3), to, index, count);
            case LONG_BUFFER -> {
                if (region.isForeign()) {
                    return false;
                }
                ((LongBuffer) region.base()).get((int) (position >> 3), to, index, count);
            }
            case BYTE_BUFFER -> {
                if (count <= FEW) {
                    ByteBuffer buffer = (ByteBuffer) region.base();
                    for (int i = 0; i < count; i++) {
                        to[index + i] = buffer.order() == NATIVE ? buffer.getLong((int) position + (i << 3))
                            : Long.reverseBytes(buffer.getLong((int) position + (i << 3)));
                    }
                } else if ((position & 7) == 0 && region.isNative()) {
                    region.views().longs().get((int) (position >> 3), to, index, count);
                } else {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** {@code region[at + i] = from[index + i]} for long elements; false if not possible in one copy. */
    public static boolean put(Region region, long at, long[] from, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case LONGS -> System.arraycopy(from, index, region.base(), (int) (position >> 3), count);
            case LONG_BUFFER -> {
                if (region.isForeign()) {
                    return false;
                }
                ((LongBuffer) region.base()).put((int) (position >> 3), from, index, count);
            }
            case BYTE_BUFFER -> {
                if (count <= FEW) {
                    ByteBuffer buffer = (ByteBuffer) region.base();
                    for (int i = 0; i < count; i++) {
                        if (buffer.order() == NATIVE) {
                            buffer.putLong((int) position + (i << 3), from[index + i]);
                        } else {
                            buffer.putLong((int) position + (i << 3), Long.reverseBytes(from[index + i]));
                        }
                    }
                } else if ((position & 7) == 0 && region.isNative()) {
                    region.views().longs().put((int) (position >> 3), from, index, count);
                } else {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** {@code to[index + i] = region[at + i]} for short elements; false if not possible in one copy. */
    public static boolean get(Region region, long at, short[] to, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case SHORTS -> System.arraycopy(region.base(), (int) (position >> 1), to, index, count);
            case SHORT_BUFFER -> {
                if (region.isForeign()) {
                    return false;
                }
                ((ShortBuffer) region.base()).get((int) (position >> 1), to, index, count);
            }
            case BYTE_BUFFER -> {
                if (count <= FEW) {
                    ByteBuffer buffer = (ByteBuffer) region.base();
                    for (int i = 0; i < count; i++) {
                        to[index + i] = buffer.order() == NATIVE ? buffer.getShort((int) position + (i << 1))
                            : Short.reverseBytes(buffer.getShort((int) position + (i << 1)));
                    }
                } else if ((position & 1) == 0 && region.isNative()) {
                    region.views().shorts().get((int) (position >> 1), to, index, count);
                } else {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** {@code region[at + i] = from[index + i]} for short elements; false if not possible in one copy. */
    public static boolean put(Region region, long at, short[] from, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case SHORTS -> System.arraycopy(from, index, region.base(), (int) (position >> 1), count);
            case SHORT_BUFFER -> {
                if (region.isForeign()) {
                    return false;
                }
                ((ShortBuffer) region.base()).put((int) (position >> 1), from, index, count);
            }
            case BYTE_BUFFER -> {
                if (count <= FEW) {
                    ByteBuffer buffer = (ByteBuffer) region.base();
                    for (int i = 0; i < count; i++) {
                        if (buffer.order() == NATIVE) {
                            buffer.putShort((int) position + (i << 1), from[index + i]);
                        } else {
                            buffer.putShort((int) position + (i << 1), Short.reverseBytes(from[index + i]));
                        }
                    }
                } else if ((position & 1) == 0 && region.isNative()) {
                    region.views().shorts().put((int) (position >> 1), from, index, count);
                } else {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** {@code to[index + i] = region[at + i]} for char elements; false if not possible in one copy. */
    public static boolean get(Region region, long at, char[] to, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case CHARS -> System.arraycopy(region.base(), (int) (position >> 1), to, index, count);
            case CHAR_BUFFER -> {
                if (region.isForeign()) {
                    return false;
                }
                ((CharBuffer) region.base()).get((int) (position >> 1), to, index, count);
            }
            case BYTE_BUFFER -> {
                if (count <= FEW) {
                    ByteBuffer buffer = (ByteBuffer) region.base();
                    for (int i = 0; i < count; i++) {
                        to[index + i] = buffer.order() == NATIVE ? buffer.getChar((int) position + (i << 1))
                            : Character.reverseBytes(buffer.getChar((int) position + (i << 1)));
                    }
                } else if ((position & 1) == 0 && region.isNative()) {
                    region.views().chars().get((int) (position >> 1), to, index, count);
                } else {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** {@code region[at + i] = from[index + i]} for char elements; false if not possible in one copy. */
    public static boolean put(Region region, long at, char[] from, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case CHARS -> System.arraycopy(from, index, region.base(), (int) (position >> 1), count);
            case CHAR_BUFFER -> {
                if (region.isForeign()) {
                    return false;
                }
                ((CharBuffer) region.base()).put((int) (position >> 1), from, index, count);
            }
            case BYTE_BUFFER -> {
                if (count <= FEW) {
                    ByteBuffer buffer = (ByteBuffer) region.base();
                    for (int i = 0; i < count; i++) {
                        if (buffer.order() == NATIVE) {
                            buffer.putChar((int) position + (i << 1), from[index + i]);
                        } else {
                            buffer.putChar((int) position + (i << 1), Character.reverseBytes(from[index + i]));
                        }
                    }
                } else if ((position & 1) == 0 && region.isNative()) {
                    region.views().chars().put((int) (position >> 1), from, index, count);
                } else {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** {@code to[index + i] = region[at + i]} for byte elements; false if not possible in one copy. */
    public static boolean get(Region region, long at, byte[] to, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case BYTES -> System.arraycopy(region.base(), (int) position, to, index, count);
            case BYTE_BUFFER -> ((ByteBuffer) region.base()).get((int) position, to, index, count);
            case BOOLEANS -> {
                boolean[] from = (boolean[]) region.base();
                for (int i = 0; i < count; i++) {
                    to[index + i] = (byte) (from[(int) position + i] ? 1 : 0);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** {@code region[at + i] = from[index + i]} for byte elements; false if not possible in one copy. */
    public static boolean put(Region region, long at, byte[] from, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case BYTES -> System.arraycopy(from, index, region.base(), (int) position, count);
            case BYTE_BUFFER -> ((ByteBuffer) region.base()).put((int) position, from, index, count);
            case BOOLEANS -> {
                boolean[] to = (boolean[]) region.base();
                for (int i = 0; i < count; i++) {
                    to[(int) position + i] = from[index + i] != 0;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }
}

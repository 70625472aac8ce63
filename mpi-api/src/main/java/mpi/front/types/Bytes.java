package mpi.front.types;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import mpi.spi.DeviceBuffer;
import mpi.spi.TypedBuffer;

/**
 * Copies the bytes of arrays, NIO buffers and device memory, whatever their element type and byte order: for packing,
 * sendrecv-replace and user functions. Not for the hot path.
 */
public final class Bytes {
    /** Bytes copied at a time: a multiple of every element's size. */
    private static final int PIECE = 1 << 20;

    private Bytes() {
    }

    /** log2 of the bytes of an element of this NIO buffer. */
    public static int shiftOf(Buffer buffer) {
        if (buffer instanceof ByteBuffer) {
            return 0;
        }
        if (buffer instanceof DoubleBuffer || buffer instanceof LongBuffer) {
            return 3;
        }
        return buffer instanceof IntBuffer || buffer instanceof FloatBuffer ? 2 : 1;
    }

    /** log2 of the bytes of an element of an array of primitives. */
    public static int shiftOf(Class<?> array) {
        if (array == double[].class || array == long[].class) {
            return 3;
        }
        if (array == int[].class || array == float[].class) {
            return 2;
        }
        return array == short[].class || array == char[].class ? 1 : 0;
    }

    /** Copies n bytes, which may be more than a byte[] can hold; offsets in bytes. */
    public static void copy(Object from, long fromOffset, Object to, long toOffset, long n) {
        byte[] between = new byte[(int) Math.min(n, PIECE)];
        for (long done = 0; done < n; done += PIECE) {
            int piece = (int) Math.min(PIECE, n - done);
            get(from, fromOffset + done, between, 0, piece);
            put(to, toOffset + done, between, 0, piece);
        }
    }

    /** Copies n bytes out of an array or buffer, from a byte offset. */
    public static void get(Object source, long offset, byte[] out, int at, int n) {
        if (source instanceof boolean[]) {
            boolean[] flags = (boolean[]) source;
            for (int i = 0; i < n; i++) {
                out[at + i] = (byte) (flags[(int) offset + i] ? 1 : 0);
            }
            return;
        }
        DeviceBuffer device = onDevice(source);
        if (device != null) {
            ByteBuffer between = ByteBuffer.allocateDirect(n);
            if (n > 0) {
                device.read(offset, between, 0, n);
            }
            between.get(out, at, n);
            return;
        }
        if (source instanceof TypedBuffer) {
            transferTyped((TypedBuffer) source, offset, out, at, n, false);
            return;
        }
        Buffer view = view(source);
        int shift = shiftOf(view);
        int first = (int) (offset >> shift);
        int elements = elements(offset, n, shift);
        int skip = (int) (offset - ((long) first << shift));
        if (elements << shift == n) {
            transfer(view, first, elements, out, at, false);
        } else {
            byte[] whole = new byte[elements << shift];
            transfer(view, first, elements, whole, 0, false);
            System.arraycopy(whole, skip, out, at, n);
        }
    }

    /** Copies n bytes into an array or buffer, to a byte offset. */
    public static void put(Object target, long offset, byte[] in, int at, int n) {
        if (target instanceof boolean[]) {
            boolean[] flags = (boolean[]) target;
            for (int i = 0; i < n; i++) {
                flags[(int) offset + i] = in[at + i] != 0;
            }
            return;
        }
        DeviceBuffer device = onDevice(target);
        if (device != null) {
            if (n > 0) {
                device.write(offset, ByteBuffer.allocateDirect(n).put(in, at, n), 0, n);
            }
            return;
        }
        if (target instanceof TypedBuffer) {
            transferTyped((TypedBuffer) target, offset, in, at, n, true);
            return;
        }
        Buffer view = view(target);
        int shift = shiftOf(view);
        int first = (int) (offset >> shift);
        int elements = elements(offset, n, shift);
        int skip = (int) (offset - ((long) first << shift));
        if (elements << shift == n) {
            transfer(view, first, elements, in, at, true);
        } else {
            byte[] whole = new byte[elements << shift];
            transfer(view, first, elements, whole, 0, false);
            System.arraycopy(in, at, whole, skip, n);
            transfer(view, first, elements, whole, 0, true);
        }
    }

    /** The device's memory, or the items that a device packs; null if the processor reaches the bytes itself. */
    private static DeviceBuffer onDevice(Object data) {
        return data instanceof DeviceBuffer ? (DeviceBuffer) data
            : data instanceof TypedBuffer ? ((TypedBuffer) data).packed : null;
    }

    private static void transferTyped(TypedBuffer buffer, long offset, byte[] bytes, int at, int n, boolean into) {
        int[] next = {at};
        buffer.visit(offset, offset + n, (place, stride, length, count) -> {
            for (long i = 0; i < count; i++) {
                if (into) {
                    put(buffer.buffer, place + i * stride, bytes, next[0], (int) length);
                } else {
                    get(buffer.buffer, place + i * stride, bytes, next[0], (int) length);
                }
                next[0] += (int) length;
            }
        });
    }

    /** Number of elements that contain some of the bytes. */
    private static int elements(long offset, int n, int shift) {
        long unit = 1L << shift;
        return (int) ((offset + n + unit - 1 >> shift) - (offset >> shift));
    }

    private static Buffer view(Object data) {
        if (data instanceof byte[]) {
            return ByteBuffer.wrap((byte[]) data);
        } else if (data instanceof char[]) {
            return CharBuffer.wrap((char[]) data);
        } else if (data instanceof short[]) {
            return ShortBuffer.wrap((short[]) data);
        } else if (data instanceof int[]) {
            return IntBuffer.wrap((int[]) data);
        } else if (data instanceof long[]) {
            return LongBuffer.wrap((long[]) data);
        } else if (data instanceof float[]) {
            return FloatBuffer.wrap((float[]) data);
        } else if (data instanceof double[]) {
            return DoubleBuffer.wrap((double[]) data);
        }
        return (Buffer) data;
    }

    /** Copies whole elements, in the order in which they lie in memory whatever order a view declares. */
    private static void transfer(Buffer buffer, int first, int n, byte[] bytes, int at, boolean intoBuffer) {
        ByteBuffer raw = ByteBuffer.wrap(bytes, at, n << shiftOf(buffer)).slice();
        if (buffer instanceof ByteBuffer) {
            ByteBuffer part = ((ByteBuffer) buffer).duplicate().clear().slice(first, n);
            (intoBuffer ? part : raw).put(intoBuffer ? raw : part);
        } else if (buffer instanceof CharBuffer) {
            CharBuffer part = ((CharBuffer) buffer).duplicate().clear().slice(first, n);
            CharBuffer view = raw.order(part.order()).asCharBuffer();
            (intoBuffer ? part : view).put(intoBuffer ? view : part);
        } else if (buffer instanceof ShortBuffer) {
            ShortBuffer part = ((ShortBuffer) buffer).duplicate().clear().slice(first, n);
            ShortBuffer view = raw.order(part.order()).asShortBuffer();
            (intoBuffer ? part : view).put(intoBuffer ? view : part);
        } else if (buffer instanceof IntBuffer) {
            IntBuffer part = ((IntBuffer) buffer).duplicate().clear().slice(first, n);
            IntBuffer view = raw.order(part.order()).asIntBuffer();
            (intoBuffer ? part : view).put(intoBuffer ? view : part);
        } else if (buffer instanceof LongBuffer) {
            LongBuffer part = ((LongBuffer) buffer).duplicate().clear().slice(first, n);
            LongBuffer view = raw.order(part.order()).asLongBuffer();
            (intoBuffer ? part : view).put(intoBuffer ? view : part);
        } else if (buffer instanceof FloatBuffer) {
            FloatBuffer part = ((FloatBuffer) buffer).duplicate().clear().slice(first, n);
            FloatBuffer view = raw.order(part.order()).asFloatBuffer();
            (intoBuffer ? part : view).put(intoBuffer ? view : part);
        } else {
            DoubleBuffer part = ((DoubleBuffer) buffer).duplicate().clear().slice(first, n);
            DoubleBuffer view = raw.order(part.order()).asDoubleBuffer();
            (intoBuffer ? part : view).put(intoBuffer ? view : part);
        }
    }
}

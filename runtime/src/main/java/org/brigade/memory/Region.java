package org.brigade.memory;

import java.lang.ref.WeakReference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import mpi.spi.DeviceBuffer;
import mpi.spi.TypedBuffer;
import org.brigade.nativ.Libc;
import org.brigade.setting.Setting;

/**
 * A caller's buffer as bytes: a Java array, an NIO buffer or device memory, with the position of its byte 0. One object
 * is wrapped around one buffer after another, so calls allocate nothing. Bytes keep their order in memory, whatever
 * order an NIO view declares. Of a {@link TypedBuffer} the bytes are those of its packed form, so a message of items
 * with gaps is packed piece by piece, straight into the memory that carries it. A device that packs its own memory
 * gives a {@link DeviceBuffer} in place of a TypedBuffer.
 *
 * <p>
 * Stretches may begin and end inside an element, as the bytes of an int[] may be sent as MPI.BYTE. Stretches of whole
 * elements are copied in one go. Large copies ({@link #LARGE} and more) to and from direct memory use libc's memcpy,
 * all others the JVM's. Device memory is reached through {@link DeviceBuffer} only. Every copy to or from it takes some
 * 10 us however short, so move many bytes in few pieces.
 */
public final class Region {
    /** Copies of at least this many bytes are worth a native call, which also loads JNA. */
    public static final int LARGE = (int) Setting.number("copy.native");
    /** Up to this many elements of a ByteBuffer are read one by one: faster than a bulk copy, and without a view. */
    public static final int FEW = 6;

    /** Up to so many bytes of a ByteBuffer are moved word by word: a bulk copy of few bytes takes longer to begin. */
    private static final int FEW_WORDS = 16;

    private static final int WHOLE_BYTES = 4 << 10;

    // What is wrapped. Numbers, as a collector may make each store of a reference cost a fence.
    static final int TYPED = -1;
    static final int NONE = 0;
    static final int DEVICE = 1;
    static final int BYTES = 2;
    static final int BOOLEANS = 3;
    static final int CHARS = 4;
    static final int SHORTS = 5;
    static final int INTS = 6;
    static final int LONGS = 7;
    static final int FLOATS = 8;
    static final int DOUBLES = 9;
    static final int BYTE_BUFFER = 10;
    static final int CHAR_BUFFER = 11;
    static final int SHORT_BUFFER = 12;
    static final int INT_BUFFER = 13;
    static final int LONG_BUFFER = 14;
    static final int FLOAT_BUFFER = 15;
    static final int DOUBLE_BUFFER = 16;

    int form = NONE;
    Object base;
    long offset;
    private long address;
    private boolean foreign;
    /** Bytes of an element, less one. */
    int mask;
    /** For stretches that begin or end inside an element; made on first use. */
    private NativeMemory whole;
    /**
     * Views of the last ByteBuffer that needed them: weak, so that they outlive {@link #clear} but never the caller's
     * buffer.
     */
    private WeakReference<ByteBufferViews> views;
    /** Packs and unpacks items with gaps; made on first use. */
    private TypedCopy typed;

    public Region() {
    }

    /** A region around all of some native memory. */
    public static Region of(NativeMemory memory) {
        Region region = new Region();
        region.wrap(memory.bytes, 0);
        return region;
    }

    /** Wraps a buffer; byte 0 of the region is {@code offset} bytes into it. Null makes a region of no bytes. */
    public Region wrap(Object buffer, long offset) {
        this.base = buffer;
        this.offset = offset;
        this.address = 0;
        this.foreign = false;
        this.mask = 0;
        if (buffer == null) {
            form = NONE;
        } else if (buffer instanceof byte[]) {
            form = BYTES;
        } else if (buffer instanceof ByteBuffer b) {
            wrapNio(b, BYTE_BUFFER, BYTES, 0);
        } else if (buffer instanceof double[]) {
            form = DOUBLES;
            mask = 7;
        } else if (buffer instanceof float[]) {
            form = FLOATS;
            mask = 3;
        } else if (buffer instanceof int[]) {
            form = INTS;
            mask = 3;
        } else if (buffer instanceof long[]) {
            form = LONGS;
            mask = 7;
        } else {
            wrapRarer(buffer);
        }
        return this;
    }

    /** Moves byte 0 on by so many bytes of the same buffer, or back. */
    public void skip(long bytes) {
        offset += bytes;
        if (address != 0) {
            address += bytes;
        }
    }

    private void wrapRarer(Object buffer) {
        if (buffer instanceof DoubleBuffer b) {
            foreign = b.order() != ByteOrder.nativeOrder();
            wrapNio(b, DOUBLE_BUFFER, DOUBLES, 3);
        } else if (buffer instanceof FloatBuffer b) {
            foreign = b.order() != ByteOrder.nativeOrder();
            wrapNio(b, FLOAT_BUFFER, FLOATS, 2);
        } else if (buffer instanceof IntBuffer b) {
            foreign = b.order() != ByteOrder.nativeOrder();
            wrapNio(b, INT_BUFFER, INTS, 2);
        } else if (buffer instanceof LongBuffer b) {
            foreign = b.order() != ByteOrder.nativeOrder();
            wrapNio(b, LONG_BUFFER, LONGS, 3);
        } else if (buffer instanceof ShortBuffer b) {
            foreign = b.order() != ByteOrder.nativeOrder();
            wrapNio(b, SHORT_BUFFER, SHORTS, 1);
        } else if (buffer instanceof CharBuffer b) {
            foreign = b.order() != ByteOrder.nativeOrder();
            wrapNio(b, CHAR_BUFFER, CHARS, 1);
        } else if (buffer instanceof boolean[]) {
            form = BOOLEANS;
        } else if (buffer instanceof char[]) {
            form = CHARS;
            mask = 1;
        } else if (buffer instanceof short[]) {
            form = SHORTS;
            mask = 1;
        } else if (buffer instanceof DeviceBuffer) {
            form = DEVICE;
        } else if (buffer instanceof TypedBuffer b && b.packed != null) {
            form = DEVICE;
            base = b.packed;
        } else if (buffer instanceof TypedBuffer b) {
            form = TYPED;
            if (typed == null) {
                typed = new TypedCopy();
            }
            typed.wrap(b);
        } else {
            throw new IllegalArgumentException("not a buffer: " + buffer.getClass().getName());
        }
    }

    private void wrapNio(Buffer buffer, int nio, int array, int shift) {
        mask = (1 << shift) - 1;
        if (buffer.hasArray()) {
            base = buffer.array();
            offset += (long) buffer.arrayOffset() << shift;
            form = array;
            foreign = false;
        } else {
            form = nio;
            if (buffer.limit() != buffer.capacity()) {
                base = buffer.duplicate().clear(); // absolute copies check the limit, but a call is bounded by the
                                                   // capacity
            }
        }
    }

    /** Forgets the buffer, so that it can be collected. */
    public void clear() {
        base = null;
        if (form == TYPED) {
            typed.clear();
        }
        form = NONE;
    }

    /** Whether the bytes lie outside the heap, so that a native call can reach them. */
    public boolean isNative() {
        return form >= BYTE_BUFFER && ((Buffer) base).isDirect();
    }

    /** Whether the bytes lie in a device's memory. */
    public boolean isDevice() {
        return form == DEVICE;
    }

    /**
     * Whether compiled code can use the bytes from a position on as numbers of {@code 1 << shift} bytes in native
     * order: in memory outside the heap, or in an array whose elements are not shorter. May load JNA.
     */
    public boolean isPlain(long at, int shift) {
        int beyond = (1 << shift) - 1;
        if (foreign || (offset + at & beyond) != 0) {
            return false;
        }
        return isNative() ? Libc.works() && (address() & beyond) == (offset & beyond)
            : form >= BYTES && form <= DOUBLES && form != BOOLEANS && mask >= beyond;
    }

    /** The address of byte 0; only if {@link #isNative}. May load JNA. */
    public long address() {
        if (address == 0) {
            address = Libc.address((Buffer) base) + offset;
        }
        return address;
    }

    /** Bytes from byte 0 to the end of the buffer; only if {@link #isNative}. */
    public long bytesOutside() {
        return ((Buffer) base).capacity() * (mask + 1L) - offset;
    }

    /** The heap array behind the region, or null. */
    public Object array() {
        return form >= BYTES && form <= DOUBLES ? base : null;
    }

    /** The wrapped array, NIO buffer, {@link DeviceBuffer} or {@link TypedBuffer}. */
    public Object buffer() {
        return base;
    }

    /** Bytes from the start of {@link #array} (or of the buffer) to byte 0 of the region. */
    public long offset() {
        return offset;
    }

    int form() {
        return form;
    }

    Object base() {
        return base;
    }

    /** Whether the buffer is a view in foreign byte order. */
    public boolean isForeign() {
        return foreign;
    }

    /** Element views of the wrapped direct ByteBuffer; allocates only if the buffer is a new one. */
    ByteBufferViews views() {
        ByteBufferViews known = views == null ? null : views.get();
        if (known == null || known.buffer != base) {
            known = new ByteBufferViews((ByteBuffer) base);
            views = new WeakReference<>(known);
        }
        return known;
    }

    // One element of an array is moved by itself: a bulk copy begins with twenty calls, which an interpreter feels.

    /** Copies bytes out of this region: {@code target[targetAt + i] = this[at + i]}. */
    public void read(long at, NativeMemory target, int targetAt, int bytes) {
        if (form == BYTE_BUFFER && isFewWords(bytes)) {
            copyWords((ByteBuffer) base, (int) (offset + at), target.bytes, targetAt, bytes);
        } else {
            readAny(at, target, targetAt, bytes);
        }
    }

    // Few words have a way of their own, as the JVM puts no method as long as the next one into its caller.

    private static boolean isFewWords(int bytes) {
        return bytes <= FEW_WORDS && (bytes & Long.BYTES - 1) == 0;
    }

    /** Of none, one or two words. Without a loop: a compiler unrolls one, and then checks in vain how often it runs. */
    private static void copyWords(ByteBuffer from, int at, ByteBuffer to, int toAt, int bytes) {
        if (bytes > 0) {
            copyWord(from, at, to, toAt);
            if (bytes > Long.BYTES) {
                copyWord(from, at + Long.BYTES, to, toAt + Long.BYTES);
            }
        }
    }

    private static void copyWord(ByteBuffer from, int at, ByteBuffer to, int toAt) {
        long word = from.getLong(at);
        to.putLong(toAt, from.order() == to.order() ? word : Long.reverseBytes(word));
    }

    private void readAny(long at, NativeMemory target, int targetAt, int bytes) {
        if (bytes == 0) {
            return; // nothing may lie anywhere, also past the end
        }
        if (bytes >= LARGE && isNative() && Libc.works()) {
            Libc.copy(target.address() + targetAt, address() + at, bytes);
            return;
        }
        long from = offset + at;
        if ((((int) from | targetAt | bytes) & mask) != 0) {
            readInside(from, target, targetAt, bytes);
            return;
        }
        switch (form) {
            case BYTE_BUFFER -> target.bytes.put(targetAt, (ByteBuffer) base, (int) from, bytes);
            case BYTES -> target.bytes.put(targetAt, (byte[]) base, (int) from, bytes);
            case DOUBLES -> {
                double[] source = (double[]) base;
                if (bytes == Double.BYTES) {
                    target.doubles.put(targetAt >> 3, source[(int) (from >> 3)]);
                } else {
                    target.doubles.put(targetAt >> 3, source, (int) (from >> 3), bytes >> 3);
                }
            }
            case FLOATS -> {
                float[] source = (float[]) base;
                if (bytes == Float.BYTES) {
                    target.floats.put(targetAt >> 2, source[(int) (from >> 2)]);
                } else {
                    target.floats.put(targetAt >> 2, source, (int) (from >> 2), bytes >> 2);
                }
            }
            case INTS -> {
                int[] source = (int[]) base;
                if (bytes == Integer.BYTES) {
                    target.ints.put(targetAt >> 2, source[(int) (from >> 2)]);
                } else {
                    target.ints.put(targetAt >> 2, source, (int) (from >> 2), bytes >> 2);
                }
            }
            case LONGS -> {
                long[] source = (long[]) base;
                if (bytes == Long.BYTES) {
                    target.longs.put(targetAt >> 3, source[(int) (from >> 3)]);
                } else {
                    target.longs.put(targetAt >> 3, source, (int) (from >> 3), bytes >> 3);
                }
            }
            case SHORTS -> target.shorts.put(targetAt >> 1, (short[]) base, (int) (from >> 1), bytes >> 1);
            case CHARS -> target.chars.put(targetAt >> 1, (char[]) base, (int) (from >> 1), bytes >> 1);
            case BOOLEANS -> {
                boolean[] source = (boolean[]) base;
                for (int i = 0; i < bytes; i++) {
                    target.bytes.put(targetAt + i, (byte) (source[(int) from + i] ? 1 : 0));
                }
            }
            case DEVICE -> {
                if (bytes > 0) {
                    ((DeviceBuffer) base).read(from, target.bytes, targetAt, bytes);
                }
            }
            case TYPED -> typed.pack(from, target, targetAt, bytes);
            case NONE -> require(bytes == 0);
            default -> readView(from, target, targetAt, bytes);
        }
    }

    /** Whether {@link #stream} is more than {@link #read}: for memory outside the heap and arrays of numbers. */
    public boolean streams() {
        return (form >= BYTES && form <= DOUBLES && form != BOOLEANS || isNative()) && Libc.streams();
    }

    /** As {@link #read}, by {@link Libc#stream}; only if {@link #streams}. */
    public void stream(long at, NativeMemory target, int targetAt, int bytes) {
        boolean outside = isNative();
        if (!Libc.stream(target.address() + targetAt, outside ? null : base, outside ? address() + at : offset + at,
            bytes)) {
            read(at, target, targetAt, bytes);
        }
    }

    private void readView(long from, NativeMemory target, int targetAt, int bytes) {
        NativeMemory memory = target;
        ByteBuffer swapped = foreign ? memory.bytes.duplicate().order(opposite()) : null;
        switch (form) {
            case DOUBLE_BUFFER -> (foreign ? swapped.asDoubleBuffer() : memory.doubles).put(targetAt >> 3,
                (DoubleBuffer) base, (int) (from >> 3), bytes >> 3);
            case FLOAT_BUFFER -> (foreign ? swapped.asFloatBuffer() : memory.floats).put(targetAt >> 2,
                (FloatBuffer) base, (int) (from >> 2), bytes >> 2);
            case INT_BUFFER -> (foreign ? swapped.asIntBuffer() : memory.ints).put(targetAt >> 2, (IntBuffer) base,
                (int) (from >> 2), bytes >> 2);
            case LONG_BUFFER -> (foreign ? swapped.asLongBuffer() : memory.longs).put(targetAt >> 3, (LongBuffer) base,
                (int) (from >> 3), bytes >> 3);
            case SHORT_BUFFER -> (foreign ? swapped.asShortBuffer() : memory.shorts).put(targetAt >> 1,
                (ShortBuffer) base, (int) (from >> 1), bytes >> 1);
            case CHAR_BUFFER -> (foreign ? swapped.asCharBuffer() : memory.chars).put(targetAt >> 1, (CharBuffer) base,
                (int) (from >> 1), bytes >> 1);
            default -> throw new IllegalStateException("form " + form);
        }
    }

    /** Copies bytes into this region: {@code this[at + i] = source[sourceAt + i]}. */
    public void write(long at, NativeMemory source, int sourceAt, int bytes) {
        if (form == BYTE_BUFFER && isFewWords(bytes)) {
            copyWords(source.bytes, sourceAt, (ByteBuffer) base, (int) (offset + at), bytes);
        } else {
            writeAny(at, source, sourceAt, bytes);
        }
    }

    private void writeAny(long at, NativeMemory source, int sourceAt, int bytes) {
        if (bytes == 0) {
            return; // nothing may lie anywhere, also past the end
        }
        if (bytes >= LARGE && isNative() && Libc.works()) {
            Libc.copy(address() + at, source.address() + sourceAt, bytes);
            return;
        }
        long to = offset + at;
        if ((((int) to | sourceAt | bytes) & mask) != 0) {
            writeInside(to, source, sourceAt, bytes);
            return;
        }
        switch (form) {
            case BYTE_BUFFER -> ((ByteBuffer) base).put((int) to, source.bytes, sourceAt, bytes);
            case BYTES -> source.bytes.get(sourceAt, (byte[]) base, (int) to, bytes);
            case DOUBLES -> {
                double[] target = (double[]) base;
                if (bytes == Double.BYTES) {
                    target[(int) (to >> 3)] = source.doubles.get(sourceAt >> 3);
                } else {
                    source.doubles.get(sourceAt >> 3, target, (int) (to >> 3), bytes >> 3);
                }
            }
            case FLOATS -> {
                float[] target = (float[]) base;
                if (bytes == Float.BYTES) {
                    target[(int) (to >> 2)] = source.floats.get(sourceAt >> 2);
                } else {
                    source.floats.get(sourceAt >> 2, target, (int) (to >> 2), bytes >> 2);
                }
            }
            case INTS -> {
                int[] target = (int[]) base;
                if (bytes == Integer.BYTES) {
                    target[(int) (to >> 2)] = source.ints.get(sourceAt >> 2);
                } else {
                    source.ints.get(sourceAt >> 2, target, (int) (to >> 2), bytes >> 2);
                }
            }
            case LONGS -> {
                long[] target = (long[]) base;
                if (bytes == Long.BYTES) {
                    target[(int) (to >> 3)] = source.longs.get(sourceAt >> 3);
                } else {
                    source.longs.get(sourceAt >> 3, target, (int) (to >> 3), bytes >> 3);
                }
            }
            case SHORTS -> source.shorts.get(sourceAt >> 1, (short[]) base, (int) (to >> 1), bytes >> 1);
            case CHARS -> source.chars.get(sourceAt >> 1, (char[]) base, (int) (to >> 1), bytes >> 1);
            case BOOLEANS -> {
                boolean[] target = (boolean[]) base;
                for (int i = 0; i < bytes; i++) {
                    target[(int) to + i] = source.bytes.get(sourceAt + i) != 0;
                }
            }
            case DEVICE -> {
                if (bytes > 0) {
                    ((DeviceBuffer) base).write(to, source.bytes, sourceAt, bytes);
                }
            }
            case TYPED -> typed.unpack(to, source, sourceAt, bytes);
            case NONE -> require(bytes == 0);
            default -> writeView(to, source, sourceAt, bytes);
        }
    }

    /**
     * As {@link #write}, where possible with stores that go past the caches: for results that are longer than those, as
     * lines that will be overwritten whole need not be read first.
     */
    public void writePast(long at, NativeMemory source, int sourceAt, int bytes) {
        if (bytes < LARGE || !isNative() || !Libc.streams()
            || !Libc.stream(address() + at, null, source.address() + sourceAt, bytes)) {
            write(at, source, sourceAt, bytes);
        }
    }

    private void writeView(long to, NativeMemory source, int sourceAt, int bytes) {
        ByteBuffer swapped = foreign ? source.bytes.duplicate().order(opposite()) : null;
        switch (form) {
            case DOUBLE_BUFFER -> ((DoubleBuffer) base).put((int) (to >> 3),
                foreign ? swapped.asDoubleBuffer() : source.doubles, sourceAt >> 3, bytes >> 3);
            case FLOAT_BUFFER -> ((FloatBuffer) base).put((int) (to >> 2),
                foreign ? swapped.asFloatBuffer() : source.floats, sourceAt >> 2, bytes >> 2);
            case INT_BUFFER -> ((IntBuffer) base).put((int) (to >> 2), foreign ? swapped.asIntBuffer() : source.ints,
                sourceAt >> 2, bytes >> 2);
            case LONG_BUFFER -> ((LongBuffer) base).put((int) (to >> 3),
                foreign ? swapped.asLongBuffer() : source.longs, sourceAt >> 3, bytes >> 3);
            case SHORT_BUFFER -> ((ShortBuffer) base).put((int) (to >> 1),
                foreign ? swapped.asShortBuffer() : source.shorts, sourceAt >> 1, bytes >> 1);
            case CHAR_BUFFER -> ((CharBuffer) base).put((int) (to >> 1),
                foreign ? swapped.asCharBuffer() : source.chars, sourceAt >> 1, bytes >> 1);
            default -> throw new IllegalStateException("form " + form);
        }
    }

    /** Reads a stretch that begins or ends inside an element, through whole elements. */
    private void readInside(long from, NativeMemory target, int targetAt, int bytes) {
        for (int done = 0; done < bytes;) {
            int skip = (int) (from + done) & mask;
            int piece = Math.min(bytes - done, whole().capacity() - skip);
            read(from + done - skip - offset, whole, 0, skip + piece + mask & ~mask);
            target.bytes.put(targetAt + done, whole.bytes, skip, piece);
            done += piece;
        }
    }

    /** Writes a stretch that begins or ends inside an element, and keeps the rest of those elements. */
    private void writeInside(long to, NativeMemory source, int sourceAt, int bytes) {
        for (int done = 0; done < bytes;) {
            int skip = (int) (to + done) & mask;
            int piece = Math.min(bytes - done, whole().capacity() - skip);
            int elements = skip + piece + mask & ~mask;
            read(to + done - skip - offset, whole, 0, elements);
            whole.bytes.put(skip, source.bytes, sourceAt + done, piece);
            write(to + done - skip - offset, whole, 0, elements);
            done += piece;
        }
    }

    private NativeMemory whole() {
        if (whole == null) {
            whole = NativeMemory.allocate(WHOLE_BYTES);
        }
        return whole;
    }

    private static ByteOrder opposite() {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    }

    private static void require(boolean held) {
        if (!held) {
            throw new IllegalStateException("an absent buffer has no bytes");
        }
    }
}

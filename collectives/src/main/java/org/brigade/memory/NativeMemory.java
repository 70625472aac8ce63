package org.brigade.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.brigade.nativ.Libc;

/**
 * A stretch of memory outside the heap (a shared segment, a staging area) with a view for every element kind, all in native
 * order, and ordered access to its words. Positions are bytes from its start.
 */
public final class NativeMemory {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    public final ByteBuffer bytes;
    public final CharBuffer chars;
    public final ShortBuffer shorts;
    public final IntBuffer ints;
    public final LongBuffer longs;
    public final FloatBuffer floats;
    public final DoubleBuffer doubles;
    private long address;

    /** Views all of a direct buffer, whatever its position, limit and order. */
    public NativeMemory(ByteBuffer direct) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("a direct buffer is needed");
        }
        bytes = direct.duplicate().clear().order(ByteOrder.nativeOrder());
        chars = bytes.asCharBuffer();
        shorts = bytes.asShortBuffer();
        ints = bytes.asIntBuffer();
        longs = bytes.asLongBuffer();
        floats = bytes.asFloatBuffer();
        doubles = bytes.asDoubleBuffer();
    }

    /** Fresh zeroed memory, page aligned enough for any use here. */
    public static NativeMemory allocate(int bytes) {
        // An aligned slice loses up to 63 bytes at either end.
        return new NativeMemory(ByteBuffer.allocateDirect(bytes + 128).alignedSlice(64).slice(0, bytes));
    }

    public int capacity() {
        return bytes.capacity();
    }

    /** Where the memory begins. Asks libc the first time, which loads JNA: only for large copies. */
    public long address() {
        if (address == 0) {
            address = Libc.address(bytes);
        }
        return address;
    }

    public long getLong(int at) {
        return (long) LONGS.get(bytes, at);
    }

    public void putLong(int at, long value) {
        LONGS.set(bytes, at, value);
    }

    public long getLongAcquire(int at) {
        return (long) LONGS.getAcquire(bytes, at);
    }

    public void putLongRelease(int at, long value) {
        LONGS.setRelease(bytes, at, value);
    }

    public long getLongVolatile(int at) {
        return (long) LONGS.getVolatile(bytes, at);
    }

    public void putLongVolatile(int at, long value) {
        LONGS.setVolatile(bytes, at, value);
    }

    public boolean compareAndSetLong(int at, long expected, long value) {
        return LONGS.compareAndSet(bytes, at, expected, value);
    }

    public long getAndAddLong(int at, long delta) {
        return (long) LONGS.getAndAdd(bytes, at, delta);
    }
}

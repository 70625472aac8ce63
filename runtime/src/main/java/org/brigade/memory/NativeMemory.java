package org.brigade.memory;

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
import org.brigade.nativ.AtomicWords;

/**
 * A stretch of memory outside the heap (a shared segment, a staging area) with a view for every element kind, all in
 * native order, and ordered access to its words. Positions are bytes from its start.
 */
public final class NativeMemory {
    private static final int LOG_WORD = 3;

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

    /** New zeroed memory, aligned enough for any use here. */
    public static NativeMemory allocate(int bytes) {
        // An aligned slice loses up to 63 bytes at either end.
        return new NativeMemory(ByteBuffer.allocateDirect(bytes + 128).alignedSlice(64).slice(0, bytes));
    }

    public int capacity() {
        return bytes.capacity();
    }

    /** The memory's address. Asks the first time, which may load JNA: only for large copies and reductions. */
    public long address() {
        if (address == 0) {
            address = Libc.address(bytes);
        }
        return address;
    }

    // Words of a LongBuffer where they are at a multiple of 8: an interpreter takes half as long as for those of a
    // ByteBuffer.

    public long getLong(int at) {
        return (at & Long.BYTES - 1) == 0 ? longs.get(at >> LOG_WORD) : bytes.getLong(at);
    }

    public void putLong(int at, long value) {
        if ((at & Long.BYTES - 1) == 0) {
            longs.put(at >> LOG_WORD, value);
        } else {
            bytes.putLong(at, value);
        }
    }

    /** As {@link #putLong}, at a multiple of 8. */
    public void putWord(int at, long value) {
        longs.put(at >> LOG_WORD, value);
    }

    // Fences around plain accesses, which are single ones as all words are aligned. As cheap as a VarHandle's
    // getAcquire and setRelease, without the 25 ms that the JVM takes to generate classes for one at start-up.

    /** Reads a word at a multiple of 8; nothing after it is read or written before it. */
    public long getLongAcquire(int at) {
        long value = longs.get(at >> LOG_WORD);
        VarHandle.acquireFence();
        return value;
    }

    /** Writes a word at a multiple of 8; nothing before it is read or written after it. */
    public void putLongRelease(int at, long value) {
        VarHandle.releaseFence();
        longs.put(at >> LOG_WORD, value);
    }

    /** Compares and sets a word at a multiple of 8. For rare events: the first use may be slow. */
    public boolean compareAndSetLong(int at, long expected, long value) {
        return AtomicWords.compareAndSet(bytes, at, expected, value);
    }
}

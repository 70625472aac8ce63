package org.brigade.nativ;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Atomic changes of words outside the heap: by {@link BrigadeLibrary} once that is loaded, else by a VarHandle, for
 * which the JVM generates classes in some milliseconds.
 */
public final class AtomicWords {
    /** Set by {@link BrigadeLibrary}, which is not loaded for this. */
    static volatile boolean compiled;

    private AtomicWords() {
    }

    /** Compares and sets a word of a direct buffer at a multiple of 8. */
    public static boolean compareAndSet(ByteBuffer direct, int at, long expected, long value) {
        return compiled ? BrigadeLibrary.compareAndSet(BrigadeLibrary.address(direct) + at, expected, value)
            : Handle.LONGS.compareAndSet(direct, at, expected, value);
    }

    /** Loaded on first use. */
    static final class Handle {
        static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    }
}

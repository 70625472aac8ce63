package org.brigade.nativ;

import com.sun.jna.Native;
import java.nio.Buffer;

/**
 * Calls into libc. The class loads JNA (about 100 ms, once a JVM) on first use, so code that runs at start-up or for
 * small messages must not use it.
 */
public final class Libc {
    /** CLOCK_PROCESS_CPUTIME_ID. */
    private static final int PROCESS_CPUTIME = 2;
    private static final int MADV_REMOVE = 9;

    static {
        Jna.prepare();
        Native.register(Libc.class, "c");
    }

    private Libc() {
    }

    // memcpy is declared twice: with addresses for the copies, and with a Buffer to learn its address without making an
    // object.
    private static native long memcpy(long target, long source, long bytes);

    private static native long memcpy(Buffer target, long source, long bytes);

    /**
     * Copies between addresses; the stretches must not overlap. Faster than the JVM's own copy between cores that share
     * no cache.
     */
    public static void copy(long target, long source, long bytes) {
        memcpy(target, source, bytes);
    }

    /** The address of byte 0 of a direct buffer, whatever its position. */
    public static long address(Buffer direct) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("a direct buffer is needed");
        }
        return memcpy(direct, 0L, 0L);
    }

    private static native int madvise(long address, long bytes, int advice);

    /**
     * Gives back whole pages of shared memory; the mapping stays, and who reads it finds zeros. Does nothing if the
     * system cannot do that.
     */
    public static void removePages(Buffer direct, int bytes) {
        madvise(address(direct), bytes, MADV_REMOVE);
    }

    private static native int clock_gettime(int clock, long[] time);

    /** User and system time of all threads of this process, in nanoseconds. */
    public static long processorNanos() {
        long[] time = new long[2];
        clock_gettime(PROCESS_CPUTIME, time);
        return time[0] * 1_000_000_000 + time[1];
    }
}

package org.brigade.nativ;

import com.sun.jna.Native;
import java.nio.Buffer;

/**
 * Calls into libc, through {@link BrigadeLibrary} or, where that is missing, through JNA. Loading JNA takes about 100
 * ms, once a JVM, so code that runs at start-up or for small messages must not use this class.
 */
public final class Libc {
    private Libc() {
    }

    /**
     * Whether the methods here can be called. They cannot where no folder allows execution, or none can be written to:
     * Java's own copies then serve. The first call may load JNA.
     */
    public static boolean works() {
        return BrigadeLibrary.LOADED || ByJna.WORKS;
    }

    /**
     * Copies between addresses; the stretches must not overlap. Faster than the JVM's own copy between cores that share
     * no cache.
     */
    public static void copy(long target, long source, long bytes) {
        if (BrigadeLibrary.LOADED) {
            BrigadeLibrary.copy(target, source, bytes);
        } else {
            ByJna.memcpy(target, source, bytes);
        }
    }

    /** Whether {@link #stream} can do what {@link #copy} cannot. Loads the library. */
    public static boolean streams() {
        return BrigadeLibrary.STREAMS;
    }

    /**
     * Copies to an address with stores that go past this core's caches. Between cores that share no cache that is
     * faster: the next reader takes the bytes from memory, and no core's cache must give up its lines. Keep copies from
     * arrays short: no garbage is collected meanwhile. Only if {@link #streams}.
     *
     * @param source a primitive array, or null
     * @param sourceAt a byte of the array, or an address
     * @return false if the JVM could not give the array; then nothing has been done
     */
    public static boolean stream(long target, Object source, long sourceAt, long bytes) {
        return BrigadeLibrary.stream(target, source, sourceAt, bytes);
    }

    /** The address of byte 0 of a direct buffer, whatever its position. */
    public static long address(Buffer direct) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("a direct buffer is needed");
        }
        return BrigadeLibrary.LOADED ? BrigadeLibrary.address(direct) : ByJna.memcpy(direct, 0L, 0L);
    }

    /**
     * Gives back whole pages of shared memory; the mapping stays, and who reads it finds zeros. Does nothing if the
     * system cannot do that.
     */
    public static void removePages(Buffer direct, int bytes) {
        if (BrigadeLibrary.LOADED) {
            BrigadeLibrary.removePages(address(direct), bytes);
        } else {
            ByJna.madvise(address(direct), bytes, ByJna.MADV_REMOVE);
        }
    }

    /** User and system time of all threads of this process, in nanoseconds. Loads JNA. */
    public static long processorNanos() {
        long[] time = new long[2];
        ByJna.clock_gettime(ByJna.PROCESS_CPUTIME, time);
        return time[0] * 1_000_000_000 + time[1];
    }

    /** Loaded on first use, and JNA with it. */
    private static final class ByJna {
        /** CLOCK_PROCESS_CPUTIME_ID. */
        static final int PROCESS_CPUTIME = 2;
        static final int MADV_REMOVE = 9;

        static final boolean WORKS = register();

        private static boolean register() {
            try {
                Jna.prepare();
                Native.register(ByJna.class, "c");
                return true;
            } catch (LinkageError noFolder) {
                return false; // the methods below then throw one, too
            }
        }

        // memcpy is declared twice: with addresses for the copies, and with a Buffer to learn its address without
        // making an object.
        static native long memcpy(long target, long source, long bytes);

        static native long memcpy(Buffer target, long source, long bytes);

        static native int madvise(long address, long bytes, int advice);

        static native int clock_gettime(int clock, long[] time);
    }
}

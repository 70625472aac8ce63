package org.brigade.nativ;

import com.sun.jna.Native;
import java.util.BitSet;

/** The processors on which a thread may run. Loads JNA: not for start-up. */
public final class Affinity {
    /** Processors that a mask here can name. */
    private static final int BYTES = 1024;

    static {
        Jna.prepare();
        Native.register(Affinity.class, "c");
    }

    private Affinity() {
    }

    private static native int sched_setaffinity(int thread, long bytes, byte[] mask);

    private static native int sched_getaffinity(int thread, long bytes, byte[] mask);

    /** The processors of the calling thread; empty if the system does not tell. */
    public static BitSet current() {
        byte[] mask = new byte[BYTES];
        // Bits are numbered from the lowest of the first byte on: Linux on machines with the lowest byte first.
        return sched_getaffinity(0, BYTES, mask) == 0 ? BitSet.valueOf(mask) : new BitSet();
    }

    /** Restricts the calling thread to these processors; false, without effect, if the system refuses. */
    public static boolean set(BitSet processors) {
        byte[] mask = new byte[BYTES];
        byte[] given = processors.toByteArray();
        if (given.length == 0 || given.length > BYTES) {
            return false;
        }
        System.arraycopy(given, 0, mask, 0, given.length);
        return sched_setaffinity(0, BYTES, mask) == 0;
    }
}

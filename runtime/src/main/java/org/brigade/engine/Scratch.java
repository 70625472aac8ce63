package org.brigade.engine;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/** Memory outside the heap for one call after another; grows to what the largest call needed. */
public final class Scratch {
    public final Region region = new Region();
    private long capacity;

    /** Makes it at least so long; what it held may be gone. */
    public void reserve(long bytes) {
        if (bytes <= capacity && capacity > 0) {
            return;
        }
        if (bytes > Integer.MAX_VALUE - 128) {
            throw mpi.ErrorClass.COUNT.in("a collective", "the call needs " + (bytes >> 20)
                + " MiB of scratch memory in one piece, but at most 2047 MiB are possible; split the call, or force an"
                + " algorithm without scratch (brigade explain names them)");
        }
        long wish = Math.min(Integer.MAX_VALUE - 128, Math.max(4096, bytes + (bytes >> 2)));
        capacity = wish & ~63L;
        if (capacity < bytes) {
            capacity = bytes;
        }
        region.wrap(NativeMemory.allocate((int) capacity).bytes, 0);
    }
}

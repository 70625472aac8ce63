package org.brigade.communicator;

import java.util.Arrays;

/** Where the blocks of a call on device memory lie, as {@link org.brigade.device.DeviceCall} has it: an offset and a length, in bytes, for every peer. */
final class BlockShapes {
    private BlockShapes() {
    }

    /** The same block for every peer. */
    static void one(long[] at, long[] lengths, long bytes) {
        Arrays.fill(at, 0);
        Arrays.fill(lengths, bytes);
    }

    /** A block for one peer alone. */
    static void onlyFor(int peer, long[] at, long[] lengths, long bytes) {
        one(at, lengths, 0);
        lengths[peer] = bytes;
    }

    /** Blocks of one size, side by side. */
    static void uniform(long[] at, long[] lengths, long block) {
        for (int peer = 0; peer < at.length; peer++) {
            at[peer] = peer * block;
            lengths[peer] = block;
        }
    }

    /** Blocks at displacements (null: side by side); returns the bytes of all. */
    static long listed(long[] at, long[] lengths, int[] counts, int[] displacements, int extent) {
        long total = 0;
        for (int peer = 0; peer < at.length; peer++) {
            at[peer] = displacements == null ? total : (long) displacements[peer] * extent;
            lengths[peer] = (long) counts[peer] * extent;
            total += lengths[peer];
        }
        return total;
    }
}

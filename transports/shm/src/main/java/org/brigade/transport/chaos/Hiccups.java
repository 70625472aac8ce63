package org.brigade.transport.chaos;

import java.util.SplittableRandom;

/** When a link refuses: often for a few calls, seldom for many. */
final class Hiccups {
    private static final int SHORT_EVERY = 4;
    private static final int SHORT_CALLS = 8;
    private static final int STALL_EVERY = 256;
    private static final int STALL_CALLS = 100;

    private final SplittableRandom random;
    private int refusals;

    Hiccups(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Whether to refuse this call. */
    boolean now() {
        if (refusals > 0) {
            refusals--;
            return true;
        }
        if (random.nextInt(STALL_EVERY) == 0) {
            refusals = random.nextInt(STALL_CALLS);
        } else if (random.nextInt(SHORT_EVERY) == 0) {
            refusals = random.nextInt(SHORT_CALLS);
        }
        return refusals > 0;
    }

    /** All of so many bytes, or a smaller multiple of the grain, but never none. */
    int piece(int bytes, int grain) {
        return bytes <= grain || random.nextBoolean() ? bytes
            : Math.min(bytes, grain * (1 + random.nextInt(bytes / grain)));
    }
}

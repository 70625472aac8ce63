package org.brigade.engine.fused;

import org.brigade.engine.node.SharedAccess;

/**
 * Whether the stores into a shared buffer go past the caches, for each size class (powers of two). Where cores share no
 * cache, a line that another core has read must be taken from it before it is written: two such cores moved 0.2 GB/s
 * with plain stores, 17 past the caches. Where they share one, plain stores are up to twice as fast. Which of the two
 * holds changes while a job runs, so calls are timed.
 *
 * <p>
 * Each rank times its own calls, and the members vote. That ranks know different times, or store differently, does no
 * harm but to speed. A call may take long because a member came late, so the least of the last few times counts. Now
 * and then a call goes the other way, more seldom if that is much slower.
 */
final class StoreWays {
    /** Shorter calls are not timed. */
    private static final int SHORTEST = 2 << 10;

    private static final int CLASSES = Long.SIZE;
    /** Times that count. */
    private static final int KEPT = 8;
    private static final int TRIED_EVERY = 64;
    private static final int MUCH = 3;
    private static final int RARELY = 16;

    /** By class, way (1: past the caches), and number. */
    private final long[] times = new long[CLASSES * 2 * KEPT];
    private final int[] samples = new int[CLASSES * 2];
    private final int[] calls = new int[CLASSES];
    private final SharedAccess access;
    private final boolean always;
    private final boolean never;

    /** @param set measured, always or never */
    StoreWays(String set, SharedAccess access) {
        this.access = access;
        always = "always".equals(set);
        never = "never".equals(set);
    }

    private static int sizeClass(long bytes) {
        return Long.SIZE - Long.numberOfLeadingZeros(bytes - 1);
    }

    /** Whether calls of this length are timed, or at least can go past the caches. */
    boolean concerns(long bytes) {
        return bytes >= SHORTEST && !never && access.canStorePast();
    }

    /** 1: past the caches, as far as this rank knows; else 0. */
    int vote(long bytes) {
        int its = sizeClass(bytes);
        return samples[2 * its + 1] >= KEPT && least(its, 1) < least(its, 0) ? 1 : 0;
    }

    /** The way of the next call: what most have voted for, or the other one. */
    boolean next(long bytes, boolean mostArePast) {
        if (always) {
            return true;
        }
        int its = sizeClass(bytes);
        int call = calls[its] = calls[its] + 1 & Integer.MAX_VALUE;
        if (samples[2 * its] < KEPT) {
            return false;
        }
        if (samples[2 * its + 1] < KEPT) {
            return true;
        }
        int best = mostArePast ? 1 : 0;
        boolean near = least(its, 1 - best) < MUCH * least(its, best);
        boolean trial = call % TRIED_EVERY == 0 && (near || call / TRIED_EVERY % RARELY == 0);
        return mostArePast != trial;
    }

    void took(long bytes, boolean past, long nanos) {
        int series = 2 * sizeClass(bytes) + (past ? 1 : 0);
        times[series * KEPT + samples[series] % KEPT] = nanos;
        samples[series] = samples[series] + 1 < 2 * KEPT ? samples[series] + 1 : KEPT;
    }

    private long least(int its, int way) {
        long least = Long.MAX_VALUE;
        for (int i = (2 * its + way) * KEPT; i < (2 * its + way + 1) * KEPT; i++) {
            least = Math.min(least, times[i]);
        }
        return least;
    }
}

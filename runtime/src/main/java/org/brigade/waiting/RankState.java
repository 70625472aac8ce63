package org.brigade.waiting;

/**
 * What another process can see of a rank.
 *
 * @param pid 0 if it is not known
 * @param there whether it takes part: it has not finalized, and its process runs
 * @param last its last long wait; null if there was none
 */
public record RankState(int rank, long pid, boolean there, Wait last) {
    /** A rank that waits looks every 20 ms, later only if it gets no processor. */
    private static final long FRESH_NANOS = 1_000_000_000L;

    /** Whether it waits now. */
    public boolean waits(long now) {
        return there && last != null && now - last.seen < FRESH_NANOS;
    }

    /** Whether it has been in one wait for so long. */
    boolean waits(long now, long nanos) {
        return waits(now) && now - last.since >= nanos;
    }
}

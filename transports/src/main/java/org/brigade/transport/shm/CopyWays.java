package org.brigade.transport.shm;

/**
 * Chooses the way of long messages of one link by their measured times, for each size class (powers of two). Which way
 * is faster depends on the processor, the size, and on where the two ranks run, and that changes while a job runs.
 *
 * <p>
 * The sender notes when it begins a message. The receiver tells how long the message took, in one word:
 *
 * <pre>
 *   message's number: 16 bits | size class: 6 | way: 2 | nanoseconds: 40
 * </pre>
 *
 * <p>
 * A message may take long because its receiver came late. So the least of the last few times counts. One message in
 * {@link #TRIED_EVERY} goes the other way, fewer if that way is much slower.
 */
final class CopyWays {
    /** Both sides copy, through the ring. */
    static final int RING = 0;
    /** The receiver copies straight from the sender's memory, and the sender to the receiver's. */
    static final int LOAN = 1;

    static final int TRIED_EVERY = 64;
    /** A way that takes so many times as long is tried one time in so many only. */
    private static final int MUCH = 3;
    private static final int RARELY = 16;
    /** Times that count. The first ones contain compilation and page faults. */
    private static final int KEPT = 4;
    private static final int CLASSES = 64;
    private static final int WAYS = 2;
    private static final int NANOS_BITS = 40;
    private static final long MOST_NANOS = (1L << NANOS_BITS) - 1;
    private static final int NUMBER_BITS = 16;

    private final long[] times = new long[CLASSES * WAYS * KEPT];
    private final int[] samples = new int[CLASSES * WAYS];
    private final int[] messages = new int[CLASSES];
    private final boolean always;
    private long lastTime;

    /** @param always whether all messages are loans, for tests */
    CopyWays(boolean always) {
        this.always = always;
    }

    /** The word by which a receiver tells a time. */
    static long time(int way, long bytes, long message, long nanos) {
        long head = (message & (1 << NUMBER_BITS) - 1) << 6 | sizeClass(bytes);
        return (head << 2 | way) << NANOS_BITS | Math.max(1, Math.min(nanos, MOST_NANOS));
    }

    private static int sizeClass(long bytes) {
        return Long.SIZE - Long.numberOfLeadingZeros(bytes - 1);
    }

    /** Takes note of the last time that the receiver has told; 0 if it has told none. */
    void heard(long time) {
        if (time == lastTime) {
            return;
        }
        lastTime = time;
        int head = (int) (time >>> NANOS_BITS);
        int series = index(head >> 2 & CLASSES - 1, head & 3);
        times[series * KEPT + samples[series] % KEPT] = time & MOST_NANOS;
        samples[series] = samples[series] + 1 < 2 * KEPT ? samples[series] + 1 : KEPT;
    }

    /** The way of the next message. */
    int next(long bytes) {
        int its = sizeClass(bytes);
        int ring = index(its, RING);
        int loan = index(its, LOAN);
        int message = messages[its] = messages[its] + 1 & Integer.MAX_VALUE;
        if (always) {
            return LOAN;
        }
        if (samples[loan] < KEPT || samples[ring] < KEPT) {
            return samples[loan] <= samples[ring] ? LOAN : RING;
        }
        long byRing = least(ring);
        long byLoan = least(loan);
        int faster = byLoan <= byRing ? LOAN : RING;
        if (message % TRIED_EVERY != 0) {
            return faster;
        }
        boolean tried = Math.max(byRing, byLoan) < MUCH * Math.min(byRing, byLoan)
            || message % (TRIED_EVERY * RARELY) == 0;
        return tried ? LOAN - faster : faster;
    }

    private static int index(int sizeClass, int way) {
        return sizeClass * WAYS + way;
    }

    private long least(int series) {
        long least = Long.MAX_VALUE;
        for (int i = series * KEPT; i < (series + 1) * KEPT; i++) {
            least = Math.min(least, times[i]);
        }
        return least;
    }
}

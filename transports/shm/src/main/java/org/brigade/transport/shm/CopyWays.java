package org.brigade.transport.shm;

import org.brigade.memory.Region;
import org.brigade.select.Settings;

/**
 * Chooses the way of a link's longer messages by their measured times, for each size class (powers of two). Which way
 * is the fastest depends on the processor, the size, and on where the two ranks run, and that changes while a job runs.
 *
 * <p>
 * The sender notes when it begins some of the messages. The receiver tells how long such a message took, in one word:
 *
 * <pre>
 *   message's number: 16 bits | size class: 6 | way: 2 | nanoseconds: 40
 * </pre>
 *
 * <p>
 * A message may take long because its receiver came late. So the least of the last few times counts. One message in
 * {@link #TRIED_EVERY} goes another way, fewer if that way is much slower.
 */
final class CopyWays {
    /** Both sides copy, through the ring. */
    static final int RING = 0;
    /** As {@link #RING}, but the sender writes past its caches ({@link Region#stream}). */
    static final int STREAM = 1;
    /** The receiver copies straight from the sender's memory, and the sender to the receiver's. */
    static final int LOAN = 2;
    private static final int NONE = -1;

    /** Shorter messages go through the ring: streaming gains nothing there, and a clock would cost too much. */
    static final long SHORTEST = 2 << 10;

    static final int TRIED_EVERY = 64;
    /** A way that takes so many times as long is tried one time in so many only. */
    private static final int MUCH = 3;
    private static final int RARELY = 16;
    /** One message in so many that go the fastest way is timed. */
    private static final int TIMED_EVERY = 16;
    /** Messages of a class before others than loans have a choice: a short program need not load a library. */
    private static final int SETTLED = 32;
    /** Times that count. The first ones contain compilation and page faults. */
    private static final int KEPT = 4;
    private static final int CLASSES = 64;
    private static final int WAYS = 3;
    private static final int NANOS_BITS = 40;
    private static final long MOST_NANOS = (1L << NANOS_BITS) - 1;
    private static final int NUMBER_BITS = 16;

    /** When a way is used. */
    enum Use {
        /** Where it is the fastest, by measurement. */
        MEASURED,
        /** Wherever it can be. */
        ALWAYS, NEVER
    }

    private final long[] times = new long[CLASSES * WAYS * KEPT];
    private final int[] samples = new int[CLASSES * WAYS];
    private final int[] messages = new int[CLASSES];
    private final Use loans;
    private final Use streams;
    private long lastTime;
    private boolean timed;
    private boolean awaited;

    CopyWays(Use loans, Use streams) {
        this.loans = loans;
        this.streams = streams;
    }

    /** What the user has set: measured, always or never. */
    static Use set(String key) {
        String set = Settings.ofThisProcess().get(key);
        return "always".equals(set) ? Use.ALWAYS : "never".equals(set) ? Use.NEVER : Use.MEASURED;
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
        awaited = false;
        int head = (int) (time >>> NANOS_BITS);
        int series = index(head >> 2 & CLASSES - 1, head & 3);
        times[series * KEPT + samples[series] % KEPT] = time & MOST_NANOS;
        samples[series] = samples[series] + 1 < 2 * KEPT ? samples[series] + 1 : KEPT;
    }

    /** Whether it is worth asking whether a message of this length can be streamed. */
    boolean mayStream(long bytes) {
        return streams == Use.ALWAYS || streams == Use.MEASURED && messages[sizeClass(bytes)] >= SETTLED;
    }

    /** The way of the next message; {@link #isTimed} says whether the receiver must tell its time. */
    int next(long bytes, boolean mayStream, boolean mayLend) {
        int its = sizeClass(bytes);
        int message = messages[its] = messages[its] + 1 & Integer.MAX_VALUE;
        timed = false;
        if (mayLend && loans == Use.ALWAYS) {
            return LOAN;
        }
        if (mayStream && streams == Use.ALWAYS || !mayStream && !mayLend) {
            return mayStream ? STREAM : RING;
        }
        int unknown = leastKnown(its, mayStream, mayLend);
        int fastest = unknown != NONE ? unknown : fastest(its, mayStream, mayLend);
        int trial = unknown == NONE && message % TRIED_EVERY == 0
            ? trial(its, message / TRIED_EVERY, fastest, mayStream, mayLend) : NONE;
        timed = unknown != NONE || trial != NONE || fastest == LOAN || message % TIMED_EVERY == 0;
        awaited |= timed;
        return trial != NONE ? trial : fastest;
    }

    /** Whether the receiver must tell the time of the message that {@link #next} was asked about last. */
    boolean isTimed() {
        return timed;
    }

    /** Whether a receiver may tell a time that has not been heard. */
    boolean isAwaited() {
        return awaited;
    }

    private static boolean may(int way, boolean mayStream, boolean mayLend) {
        return way == RING || (way == STREAM ? mayStream : mayLend);
    }

    /** The way with the fewest times, if those are too few; long messages begin with loans. */
    private int leastKnown(int its, boolean mayStream, boolean mayLend) {
        int least = NONE;
        int fewest = KEPT;
        for (int way = LOAN; way >= RING; way--) {
            if (may(way, mayStream, mayLend) && samples[index(its, way)] < fewest) {
                least = way;
                fewest = samples[index(its, way)];
            }
        }
        return least;
    }

    /**
     * The ring takes the bytes through the memory, which all ranks of a node share, twice. So it must be clearly faster
     * than a loan.
     */
    private int fastest(int its, boolean mayStream, boolean mayLend) {
        int fastest = mayStream && least(index(its, STREAM)) <= least(index(its, RING)) ? STREAM : RING;
        return mayLend && 4 * least(index(its, LOAN)) <= 5 * least(index(its, fastest)) ? LOAN : fastest;
    }

    /** Another way than the fastest: the others in turn. {@link #NONE} if it is its turn, but it is much slower. */
    private int trial(int its, int round, int fastest, boolean mayStream, boolean mayLend) {
        int others = mayStream && mayLend ? 2 : 1;
        int skip = round % others;
        for (int way = RING; way <= LOAN; way++) {
            if (way != fastest && may(way, mayStream, mayLend) && skip-- == 0) {
                boolean near = least(index(its, way)) < MUCH * least(index(its, fastest));
                return near || round / others % RARELY == 0 ? way : NONE;
            }
        }
        return NONE;
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

package org.brigade.simulate.flow;

/**
 * Simulated time: whole picoseconds since the start, so that simultaneous events have exactly equal times, however they
 * are summed. A long lasts for 106 days.
 */
public final class Clock {
    private static final double PER_SECOND = 1e12;
    static final long END = Long.MAX_VALUE;

    private Clock() {
    }

    /** The nearest number of picoseconds. */
    public static long of(double seconds) {
        // Beyond what a long holds, the cast gives END.
        return (long) (seconds * PER_SECOND + 0.5);
    }

    /**
     * Picoseconds that bytes need at a rate, rounded up, so that the last byte has gone by then and every transfer
     * takes time.
     */
    public static long of(double bytes, double perSecond) {
        double exact = bytes / perSecond * PER_SECOND;
        if (exact >= END) {
            return END;
        }
        long ticks = (long) exact;
        return ticks < exact || ticks == 0 ? ticks + 1 : ticks;
    }

    public static double seconds(long ticks) {
        return ticks / PER_SECOND;
    }

    /** The time {@code ticks} after {@code now}. */
    public static long after(long now, long ticks) {
        if (ticks > END - 1 - now) {
            throw new IllegalArgumentException(
                "the simulated call takes longer than the 106 days of the clock: simulate fewer bytes or ranks, or"
                    + " check the machine's rates");
        }
        return now + ticks;
    }
}

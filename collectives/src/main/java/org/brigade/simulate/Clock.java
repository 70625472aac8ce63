package org.brigade.simulate;

/** Simulated time: whole picoseconds since the start, so that what happens at once is at the same time exactly, in any order of adding up. They last for 106 days. */
final class Clock {
    private static final double PER_SECOND = 1e12;
    static final long END = Long.MAX_VALUE;

    private Clock() {
    }

    /** The nearest number of picoseconds. */
    static long of(double seconds) {
        double ticks = Math.rint(seconds * PER_SECOND);
        return ticks < END ? (long) ticks : END;
    }

    /** Picoseconds that bytes need at a rate, rounded up: the last one has gone by then, and no transfer takes no time. */
    static long of(double bytes, double perSecond) {
        double ticks = Math.ceil(bytes / perSecond * PER_SECOND);
        return ticks < 1 ? 1 : ticks < END ? (long) ticks : END;
    }

    static double seconds(long ticks) {
        return ticks / PER_SECOND;
    }

    /** A moment later than {@code now}. */
    static long after(long now, long ticks) {
        if (ticks > END - 1 - now) {
            throw new IllegalArgumentException("the simulated call takes longer than 106 days, where the clock ends: simulate fewer bytes or ranks, or look at the machine's rates");
        }
        return now + ticks;
    }
}

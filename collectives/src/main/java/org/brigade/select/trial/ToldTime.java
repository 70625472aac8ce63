package org.brigade.select.trial;

/**
 * A time in 13 bits, as it travels with an announcement: steps of 0.27 percent, from a nanosecond to four seconds.
 * Exact on every JVM, so that all members compute the same from what they have heard.
 */
public final class ToldTime {
    /** No time is told. */
    public static final int NONE = 0;
    /** In place of a time: this member cannot run what would be tried next. */
    public static final int REFUSED = (1 << 13) - 1;

    private static final int STEPS = 256;
    private static final long[] FRACTIONS = new long[STEPS];

    static {
        for (int step = 0; step < STEPS; step++) {
            FRACTIONS[step] = (long) StrictMath.rint(StrictMath.pow(2, 32 + step / (double) STEPS));
        }
    }

    private ToldTime() {
    }

    /** @param nanos 0 or more */
    public static int code(long nanos) {
        int code = (int) StrictMath.rint(STEPS * StrictMath.log(Math.max(1, nanos)) / StrictMath.log(2));
        return Math.max(NONE + 1, Math.min(REFUSED - 1, code));
    }

    /** The nanoseconds of a code that is a time. */
    public static long nanos(int code) {
        int octaves = code / STEPS;
        return FRACTIONS[code % STEPS] >>> 32 - octaves;
    }
}

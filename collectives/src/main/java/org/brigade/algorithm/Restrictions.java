package org.brigade.algorithm;

/**
 * When an algorithm may be used at all; selection filters by this before it looks at any tuning.
 *
 * @param commutative  the reduction must commute
 * @param powerOfTwo   the number of ranks must be a power of two
 * @param maximumRanks the most ranks it serves
 * @param maximumBytes the longest vector (or block) it serves
 */
public record Restrictions(boolean commutative, boolean powerOfTwo, int maximumRanks, long maximumBytes) {
    public static final Restrictions NONE = new Restrictions(false, false, Integer.MAX_VALUE, Long.MAX_VALUE);
    public static final Restrictions COMMUTATIVE = new Restrictions(true, false, Integer.MAX_VALUE, Long.MAX_VALUE);

    /** Null if a call is served, else the reason why not, as words: {@code needs a commutative operation}. */
    public String violatedBy(int ranks, long bytes, boolean commutes) {
        if (commutative && !commutes) {
            return "needs a commutative operation";
        }
        if (powerOfTwo && Integer.bitCount(ranks) != 1) {
            return "needs a power of two ranks";
        }
        if (ranks > maximumRanks) {
            return "serves at most " + maximumRanks + " ranks";
        }
        if (bytes > maximumBytes) {
            return "serves at most " + maximumBytes + " bytes";
        }
        return null;
    }
}

package org.brigade.algorithm;

/**
 * When an algorithm may be used at all; the selector applies this before it looks at any tuning.
 *
 * @param commutative the reduction must commute
 * @param powerOfTwo the number of ranks must be a power of two
 * @param maximumRanks the most ranks it serves
 * @param maximumBytes the longest vector (or block) it serves
 * @param divided whether that is divided by the number of ranks
 * @param aligned all ranks' buffers and blocks must begin at multiples of {@link Placement#ALIGNMENT} bytes
 * @param apart it writes results before it has read all input, so no rank may be in place
 */
public record Restrictions(boolean commutative, boolean powerOfTwo, int maximumRanks, long maximumBytes,
    boolean divided, boolean aligned, boolean apart) {
    public static final Restrictions NONE = new Restrictions(false, false, Integer.MAX_VALUE, Long.MAX_VALUE);
    public static final Restrictions COMMUTATIVE = new Restrictions(true, false, Integer.MAX_VALUE, Long.MAX_VALUE);

    /** Restrictions for buffers that may lie anywhere. */
    public Restrictions(boolean commutative, boolean powerOfTwo, int maximumRanks, long maximumBytes) {
        this(commutative, powerOfTwo, maximumRanks, maximumBytes, false, false, false);
    }

    /** The longest vector or block that it serves among so many ranks. */
    public long maximumBytes(int ranks) {
        return divided ? maximumBytes / ranks : maximumBytes;
    }

    /** Null if the call is allowed, else the reason why not: {@code needs a commutative operation}. */
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
        if (bytes > maximumBytes(ranks)) {
            return "serves at most " + maximumBytes(ranks) + " bytes";
        }
        return null;
    }

    /** Null if buffers placed like this are allowed, else the reason why not. */
    public String violatedBy(Placement placement) {
        if (aligned && !placement.aligned) {
            return "needs buffers and blocks at multiples of " + Placement.ALIGNMENT + " bytes";
        }
        return apart && placement.inPlace ? "needs its output apart from its input" : null;
    }
}

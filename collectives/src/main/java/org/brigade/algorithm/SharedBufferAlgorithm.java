package org.brigade.algorithm;

/** An algorithm whose bytes go through memory that all ranks of the node share. */
public abstract sealed class SharedBufferAlgorithm extends FusedAlgorithm
    permits CopyInCopyOutAlgorithm, MovementAvoidingAlgorithm, PartitionedAlgorithm {
    /** More have not been measured. */
    private static final int MOST_RANKS = 64;
    private static final int LEAST_WINDOW = 1 << 20;
    private static final int WINDOW_OF_A_RANK = 64 << 10;

    SharedBufferAlgorithm(String name, ScheduledAlgorithm meaning, boolean commutative, long mostBytes) {
        super(name, meaning, new Restrictions(commutative, false, MOST_RANKS, mostBytes), WireUse.ONE_NODE);
    }

    /** Bytes of the buffer that a vector takes at a time; the buffer has two windows. */
    public static int windowBytes(int ranks) {
        return Math.max(LEAST_WINDOW, ranks * WINDOW_OF_A_RANK);
    }

    @Override
    public boolean fallsBackOnSchedule() {
        return false;
    }
}

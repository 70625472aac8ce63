package org.brigade.algorithm;

/** An algorithm whose bytes go through memory that all ranks of the node share. */
public abstract sealed class SharedBufferAlgorithm extends FusedAlgorithm
    permits CopyInCopyOutAlgorithm, MovementAvoidingAlgorithm, PartitionedAlgorithm {
    /** More have not been measured. */
    private static final int MOST_RANKS = 64;

    SharedBufferAlgorithm(String name, ScheduledAlgorithm meaning, boolean commutative, long mostBytes) {
        super(name, meaning, new Restrictions(commutative, false, MOST_RANKS, mostBytes), WireUse.ONE_NODE);
    }

    @Override
    public boolean fallsBackOnSchedule() {
        return false;
    }
}

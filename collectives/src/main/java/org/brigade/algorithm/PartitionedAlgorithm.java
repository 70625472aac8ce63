package org.brigade.algorithm;

/**
 * Allreduce on one node in which every rank reduces one slice of all vectors: each copies its vector into memory that
 * all ranks share, reads its slice of all, and the others copy the sums of that slice out.
 *
 * <p>
 * Source: Bayatpour, Chakraborty, Subramoni, Lu, Panda, "Scalable reduction collectives with data partitioning-based
 * multi-leader design" (DPML), 2017, on one node with every rank a leader. {@code T = 3 ts + (3 + 1/n) M/B}. Rounds: 2.
 * Bytes: M a rank copied in, M read and added, M copied out. Restrictions: one node; {@value #MOST_BYTES} bytes. Sums
 * are added up in the order of recursive doubling.
 */
public final class PartitionedAlgorithm extends SharedBufferAlgorithm {
    /** All ranks' vectors are in the buffer at the same time. */
    public static final int MOST_BYTES = 64 << 10;

    /** @param meaning {@code recursive-doubling}, which adds in the same order */
    public PartitionedAlgorithm(ScheduledAlgorithm meaning) {
        super("partitioned", meaning, false, MOST_BYTES);
    }

    @Override
    public <R> R open(Runners<R> runners) {
        return runners.partitioned();
    }

    @Override
    public double cost(CostModel model, PredictedCall call) {
        return 3 * model.start() + model.transfer((3 + 1.0 / call.ranks()) * call.bytes());
    }
}

package org.brigade.algorithm;

import mpi.spi.Collective;

/**
 * Allreduce or reduce-scatter on one node in which every rank reduces one slice of all vectors: each copies its vector
 * into memory that all ranks share and reads its slice, or block, of all. In an allreduce the others then copy the sums
 * of that slice out.
 *
 * <p>
 * Source: Bayatpour, Chakraborty, Subramoni, Lu, Panda, "Scalable reduction collectives with data partitioning-based
 * multi-leader design" (DPML), 2017, on one node with every rank a leader. {@code T = 2 ts + 3 M/B + M c}; a
 * reduce-scatter {@code ts + 2 M/B + M c}. Rounds: 2, or 1. Bytes: M a rank copied in, M read and added, in an
 * allreduce M copied out. Restrictions: one node; {@value #MOST_BYTES} bytes; a reduce-scatter must commute. Sums are
 * added up in the order of the schedule.
 */
public final class PartitionedAlgorithm extends SharedBufferAlgorithm {
    /** All ranks' vectors are in the buffer at the same time. */
    public static final int MOST_BYTES = 64 << 10;

    /** @param meaning {@code recursive-doubling} or {@code recursive-halving}: added up in the same order */
    public PartitionedAlgorithm(ScheduledAlgorithm meaning) {
        super("partitioned", meaning, meaning.restrictions().commutative(), MOST_BYTES);
    }

    @Override
    public double cost(CostModel model, PredictedCall call) {
        int rounds = collective() == Collective.ALLREDUCE ? 2 : 1;
        return rounds * model.message(0) + model.message((rounds + 1.0) * call.bytes());
    }
}

package org.brigade.algorithm;

import mpi.spi.Collective;

/**
 * Bcast, allgather or allgatherv on one node: who sends copies its bytes into memory that all ranks share, piece by
 * piece, and every other rank copies them out.
 *
 * <p>
 * Source: after Graham, Shipman, "MPI support for multi-core architectures: optimized shared memory collectives", 2008.
 * A byte of the root is copied in once for all receivers, where a tree's inner ranks copy it twice more. With chunks of
 * C bytes, {@code T = ts + (M/C + 1) C/B} for a bcast of M bytes, {@code T = ts + (n + 1) m/B} for an allgather of
 * blocks of m bytes. Restrictions: one node.
 */
public final class CopyInCopyOutAlgorithm extends SharedBufferAlgorithm {
    /** @param meaning runs where ranks share no memory, and in nonblocking calls */
    public CopyInCopyOutAlgorithm(ScheduledAlgorithm meaning) {
        super("copy-in-copy-out", meaning, false, Long.MAX_VALUE);
    }

    @Override
    public <R> R open(Runners<R> runners) {
        return runners.copyInCopyOut();
    }

    @Override
    public double cost(CostModel model, PredictedCall call) {
        int copies = collective() == Collective.BCAST ? 1 : call.ranks() + 1;
        return model.message(0) + model.message((double) copies * call.bytes());
    }
}

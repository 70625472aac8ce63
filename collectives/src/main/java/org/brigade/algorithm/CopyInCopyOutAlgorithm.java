package org.brigade.algorithm;

import mpi.spi.Collective;

/**
 * Bcast, allgather or allgatherv on one node: who sends copies its bytes into memory that all ranks share, piece by
 * piece, and every other rank copies them out.
 *
 * <p>
 * Source: after Graham, Shipman, "MPI support for multi-core architectures: optimized shared memory collectives", 2008.
 * A byte of the root is copied in once for all receivers, where a tree's inner ranks copy it twice more. With pieces of
 * C bytes, {@code T = 2 ts + (M/C + 1) C/B} for a bcast of M bytes, {@code T = 2 ts + (n + 1) m/B} for an allgather of
 * blocks of m bytes; ts is the time until a rank sees what another has stored. Restrictions: one node.
 */
public final class CopyInCopyOutAlgorithm extends SharedBufferAlgorithm {
    /** Pieces of a bcast under way, which stay in the root's cache. */
    public static final int PIECES = 8;
    private static final int LONGEST_PIECE = 64 << 10;
    private static final int SHORTEST_PIECE = 8 << 10;
    private static final int LINE = 64;

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
        double own = block(call);
        double more = collective() == Collective.BCAST ? Math.min(own, pieceBytes(call.bytes()))
            : call.ranks() * own;
        return 2 * model.start() + model.transfer(own + more);
    }

    /** Bytes of a bcast that are copied in at a time; the receivers copy a piece out while the root copies the next. */
    public static int pieceBytes(long bytes) {
        long wish = bytes / PIECES + LINE - 1 & -LINE;
        return (int) Math.max(SHORTEST_PIECE, Math.min(LONGEST_PIECE, wish));
    }
}

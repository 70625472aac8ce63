package org.brigade.engine.fused;

import mpi.spi.Call;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.PartitionedAlgorithm;
import org.brigade.engine.FusedPull;
import org.brigade.engine.Membership;
import org.brigade.engine.node.SharedBuffer;
import org.brigade.op.Combiner;

/** The calls of one communicator through its shared buffer. Under the lock. */
public final class FusedSharedBuffer {
    private final SharedBuffer buffer;
    private final int ranks;
    private final FusedMovementAvoiding reductions;
    private final FusedPartitioned partitions;
    private final FusedCopyInCopyOut copies;

    /** @param blocks by which calls begin */
    public FusedSharedBuffer(Membership party, FusedPull blocks, SharedBuffer buffer) {
        this(party.rank, party.members.length, blocks, buffer);
    }

    /** @param blocks by which calls begin */
    public FusedSharedBuffer(int rank, int ranks, FusedPull blocks, SharedBuffer buffer) {
        this.buffer = buffer;
        this.ranks = ranks;
        BufferCalls calls = new BufferCalls(blocks, buffer, rank, ranks);
        reductions = new FusedMovementAvoiding(calls);
        partitions = new FusedPartitioned(calls);
        copies = new FusedCopyInCopyOut(calls);
    }

    /** Whether an algorithm can reduce items of this length in the buffer. */
    public boolean fits(Algorithm algorithm, int itemBytes) {
        return algorithm instanceof PartitionedAlgorithm
            || FusedMovementAvoiding.fits(itemBytes, buffer.half(0).capacity(), ranks);
    }

    /**
     * Runs a blocking call by an algorithm of the buffer.
     *
     * @param incomingLast the reduction; null if the collective has none
     */
    public void run(long key, Call call, Algorithm algorithm, Combiner incomingLast) {
        if (incomingLast == null) {
            copies.run(key, call);
        } else if (algorithm instanceof PartitionedAlgorithm) {
            partitions.run(key, call, incomingLast);
        } else {
            reductions.run(key, call, incomingLast);
        }
    }
}

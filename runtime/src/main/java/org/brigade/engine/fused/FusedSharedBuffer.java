package org.brigade.engine.fused;

import mpi.spi.Call;
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
    public FusedSharedBuffer(Membership membership, FusedPull blocks, SharedBuffer buffer) {
        this(membership.rank, membership.members.length, blocks, buffer);
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

    /** Whether {@link #reduce} can combine items of this length. */
    public boolean fits(int itemBytes) {
        return FusedMovementAvoiding.fits(itemBytes, buffer.half(0).capacity(), ranks);
    }

    /** Runs a call without a reduction: copies in, and copies out. */
    public void copy(long key, Call call) {
        copies.run(key, call);
    }

    /** Runs a reduction in which each slice is passed from rank to rank. */
    public void reduce(long key, Call call, Combiner incomingLast) {
        reductions.run(key, call, incomingLast);
    }

    /** Runs an allreduce in which each rank reduces one slice. */
    public void partition(long key, Call call, Combiner incomingLast) {
        partitions.run(key, call, incomingLast);
    }
}

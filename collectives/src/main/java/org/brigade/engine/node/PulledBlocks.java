package org.brigade.engine.node;

import org.brigade.memory.NativeMemory;

/**
 * The blocks that the members of a communicator publish in their {@link PullSlots slots}, call after call.
 *
 * <p>
 * A member publishes call k over its block of call k - 2, and nobody reads that any more: it has seen everybody's block
 * of call k - 1, and a member publishes that when it has read those of call k - 2. So whoever goes on to the next call
 * must have seen all blocks of this one; only then may it {@link #advance}.
 */
public final class PulledBlocks {
    /** By member. */
    final NativeMemory[] slots;
    final NativeMemory own;
    /** Where the blocks of this call begin. */
    private int block = PullSlots.BLOCK_AT;

    /** @param slots by member, one number on all boards */
    PulledBlocks(NativeMemory[] slots, int rank) {
        this.slots = slots;
        own = slots[rank];
    }

    /** The memory that the block of a member is in; its bytes begin at {@link #data}. */
    public NativeMemory slot(int member) {
        return slots[member];
    }

    public int data() {
        return block + PullSlots.DATA;
    }

    /**
     * Publishes this rank's block, whose bytes are there already.
     *
     * @param tag of this call alone, not 0
     * @param what a word about it
     */
    public void publish(long tag, long what) {
        own.putLong(block + PullSlots.WHAT, what);
        own.putLongRelease(block + PullSlots.TAG, tag);
    }

    public boolean isThere(int member, long tag) {
        return slots[member].getLongAcquire(block + PullSlots.TAG) == tag;
    }

    /** What a member has said of its block, which is there. */
    public long what(int member) {
        return slots[member].getLong(block + PullSlots.WHAT);
    }

    /** The next block that this rank publishes is of another call. */
    public void advance() {
        block = PullSlots.otherBlock(block);
    }

    /** Another communicator takes the blocks over; no member reads those of the last one any more. */
    void restart() {
        block = PullSlots.BLOCK_AT;
    }
}

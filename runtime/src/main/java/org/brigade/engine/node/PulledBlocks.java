package org.brigade.engine.node;

import org.brigade.memory.NativeMemory;
import org.brigade.nativ.AwaitedWord;
import org.brigade.waiting.FlightRecorder;

/**
 * The blocks that the members of a communicator publish in their {@link PullSlots slots}, call after call.
 *
 * <p>
 * A member publishes call k over its block of call k - 2, and nobody reads that any more: it has seen everybody's block
 * of call k - 1, and a member publishes that when it has read those of call k - 2. So whoever goes on to the next call
 * must have seen all blocks of this one; only then may it {@link #advance}.
 */
public final class PulledBlocks {
    /** Of a member's memory. */
    public static final int BYTES = PullSlots.SLOT_BYTES;

    private final SharedAccess access;
    /** By member. */
    final NativeMemory[] slots;
    final NativeMemory own;
    /** Whether all members have the library; the same on all. */
    private boolean compiledByAll;
    /** Where the blocks of this call begin. */
    private int block = PullSlots.BLOCK_AT;

    /** @param slots by member, one number on all boards */
    PulledBlocks(NativeMemory[] slots, int rank) {
        this(slots, rank, new HostAccess());
    }

    /** @param slots by member, one number on all boards; from {@link SharedAccess#view} */
    public PulledBlocks(NativeMemory[] slots, int rank, SharedAccess access) {
        this.access = access;
        this.slots = slots;
        own = slots[rank];
    }

    void areCompiledByAll(boolean are) {
        compiledByAll = are;
    }

    /** Whether calls with these blocks are compiled code on all members; the same answer on all. */
    public boolean areCompiledByAll() {
        return compiledByAll;
    }

    /** How the members read and write their blocks. */
    public SharedAccess access() {
        return access;
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
        access.store(own, block + PullSlots.WHAT, what);
        access.publish(own, block + PullSlots.TAG, tag);
    }

    public boolean isThere(int member, long tag) {
        return access.holds(slots[member], block + PullSlots.TAG, tag);
    }

    /** Tells what {@link #isThere} looks at. */
    public void show(int member, long tag, AwaitedWord word) {
        word.equal(access.address(slots[member]) + block + PullSlots.TAG, tag);
    }

    /** What a member has said of its block, which is there. */
    public long what(int member) {
        return access.load(slots[member], block + PullSlots.WHAT);
    }

    /** Where the blocks of this call begin, in the memory of each member. */
    int at() {
        return block;
    }

    /** Small calls with these blocks as compiled code, which notes them; null without the library. Loads it. */
    public CompiledBlocks compiled(int rank, FlightRecorder recorder) {
        return access instanceof HostAccess ? CompiledBlocks.of(this, slots, rank, recorder) : null;
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

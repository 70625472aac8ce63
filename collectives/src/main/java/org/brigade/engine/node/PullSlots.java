package org.brigade.engine.node;

import org.brigade.algorithm.PullAlgorithm;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;

/**
 * The slots on this rank's board in which its communicators publish blocks ({@link org.brigade.engine.FusedPull}). Only
 * this rank writes; the other members read. A communicator has the slot of the same number on all its ranks.
 *
 * <pre>
 * a slot:  0  name of the communicator that has it, 0 before the first
 *          8  1: this rank reads no more blocks of that communicator
 *        128  block of every other call         0  tag: key of the call, plus 1
 *                                               8  the collective (upper half), bytes (lower half)
 *                                              16  the bytes
 *       4352  block of the calls between
 * </pre>
 *
 * A tag is stored last and read first. Lines that are written at different times are 128 bytes apart, as processors
 * fetch lines in pairs.
 *
 * <p>
 * A slot is free again when no member can still read it: each says that it has ended, or has given its slot of that
 * number to another communicator. Under the progress lock.
 */
public final class PullSlots {
    public static final int COUNT = 8;
    static final int BLOCK_AT = 128;
    static final int BLOCK_BYTES = PullAlgorithm.MOST_BYTES + 128;
    static final int TAG = 0;
    static final int WHAT = 8;
    static final int DATA = 16;

    private static final int NAME = 0;
    private static final int ENDED = 8;
    static final int SLOT_BYTES = BLOCK_AT + 2 * BLOCK_BYTES;
    private static final long ALL = (1L << COUNT) - 1;

    private final Endpoint endpoint;
    private long taken;
    /** By slot, of those that have ended but may still be read: their name, and the members' slots. */
    private final long[] names = new long[COUNT];
    private final NativeMemory[][] ended = new NativeMemory[COUNT][];

    public PullSlots(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Where the block of the calls between begins. */
    static int otherBlock(int at) {
        return 2 * BLOCK_AT + BLOCK_BYTES - at;
    }

    /** Has a bit for each slot that a communicator of these ranks could have; 0 if one of them cannot be seen. */
    public long free(int[] members) {
        for (int member : members) {
            if (endpoint.board(member) == null) {
                return 0;
            }
        }
        for (int slot = 0; slot < COUNT; slot++) {
            if (ended[slot] != null && isForgotten(slot)) {
                ended[slot] = null;
                taken &= ~(1L << slot);
            }
        }
        return ~taken & ALL;
    }

    private boolean isForgotten(int slot) {
        for (NativeMemory theirs : ended[slot]) {
            if (theirs.getLongAcquire(NAME) == names[slot] && theirs.getLongAcquire(ENDED) == 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Takes a slot for a communicator.
     *
     * @param name not 0, and no other communicator's of this job
     */
    public PulledBlocks take(int slot, long name, int[] members) {
        taken |= 1L << slot;
        names[slot] = name;
        NativeMemory[] slots = new NativeMemory[members.length];
        int own = 0;
        for (int i = 0; i < members.length; i++) {
            slots[i] = new NativeMemory(
                endpoint.board(members[i]).bytes.slice(Endpoint.PULLED_AT + slot * SLOT_BYTES, SLOT_BYTES));
            if (members[i] == endpoint.rank()) {
                own = i;
                slots[i].putLongRelease(ENDED, 0);
                slots[i].putLongRelease(NAME, name);
            }
        }
        return new PulledBlocks(slots, own);
    }

    /** The communicator makes no more calls. */
    public void end(int slot, PulledBlocks blocks) {
        blocks.own.putLongRelease(ENDED, 1);
        ended[slot] = blocks.slots;
    }
}

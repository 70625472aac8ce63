package org.brigade.engine.node;

import java.util.Arrays;
import org.brigade.algorithm.PullAlgorithm;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.CompiledExchange;
import org.brigade.transport.Endpoint;

/**
 * The slots on this rank's board in which its communicators publish blocks ({@link org.brigade.engine.FusedPull}). Only
 * this rank writes; the other members read.
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
 * Each rank takes a slot of its own for a communicator, whatever numbers the others' have, and then tells it. So ranks
 * whose threads open several communicators in different orders never claim one slot for two of them. If some member has
 * none left, all give theirs back.
 *
 * <p>
 * A slot is free again when no member can still read it: each is lost, says that it has ended, or has given its own
 * slot to another communicator. Under the progress lock, which is released while the members tell each other.
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
    private static final int NONE = -1;

    /** A communicator that has a slot, or has ended and may still be read. */
    private static final class Use {
        private final int[] members;
        private final long name;
        /** Null until the members have told their slots. */
        private PulledBlocks blocks;
        private boolean ended;

        Use(int[] members, long name) {
            this.members = members;
            this.name = name;
        }
    }

    private final Endpoint endpoint;
    /** By slot; null where it is free. */
    private final Use[] uses = new Use[COUNT];

    public PullSlots(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Where the block of the calls between begins. */
    static int otherBlock(int at) {
        return 2 * BLOCK_AT + BLOCK_BYTES - at;
    }

    /**
     * Blocks for a communicator, in a slot of each member. All members call this at the same time.
     *
     * @param members ranks of the job
     * @param rank this rank's place among them
     * @param name not 0, and no other communicator's of this job
     * @return null, on all members, if one of them has no slot left or cannot see the others
     */
    public PulledBlocks open(int[] members, int rank, long name, Members all) {
        int own = take(members, name);
        PulledBlocks opened = null;
        try {
            long[] slots = new long[members.length];
            Arrays.fill(slots, Long.MIN_VALUE);
            slots[rank] = own == NONE || CompiledExchange.isThere() ? own : own + COUNT;
            all.greatest(slots);
            opened = blocks(members, rank, slots);
            return opened;
        } finally {
            if (opened == null && own != NONE) {
                slot(endpoint.rank(), own).putLongRelease(ENDED, 1);
                uses[own] = null;
            }
        }
    }

    /** Takes a free slot before anybody hears of it: other threads look for one while the members tell each other. */
    private int take(int[] members, long name) {
        for (int member : members) {
            if (endpoint.board(member) == null) {
                return NONE;
            }
        }
        for (int slot = 0; slot < COUNT; slot++) {
            if (uses[slot] == null || isForgotten(uses[slot])) {
                uses[slot] = new Use(members, name);
                NativeMemory taken = slot(endpoint.rank(), slot);
                taken.putLongRelease(ENDED, 0);
                taken.putLongRelease(NAME, name);
                return slot;
            }
        }
        return NONE;
    }

    private PulledBlocks blocks(int[] members, int rank, long[] slots) {
        NativeMemory[] all = new NativeMemory[members.length];
        boolean compiled = true;
        for (int member = 0; member < members.length; member++) {
            if (slots[member] == NONE) {
                return null;
            }
            all[member] = slot(members[member], (int) slots[member] % COUNT);
            compiled &= slots[member] < COUNT; // a member without the library tells a number beyond
        }
        PulledBlocks blocks = new PulledBlocks(all, rank);
        blocks.areCompiledByAll(compiled);
        uses[(int) slots[rank] % COUNT].blocks = blocks;
        return blocks;
    }

    private NativeMemory slot(int member, int slot) {
        return new NativeMemory(
            endpoint.board(member).bytes.slice(Endpoint.PULLED_AT + slot * SLOT_BYTES, SLOT_BYTES));
    }

    private boolean isForgotten(Use use) {
        for (int member = 0; use.ended && member < use.members.length; member++) {
            NativeMemory theirs = use.blocks.slots[member];
            if (theirs.getLongAcquire(NAME) == use.name && theirs.getLongAcquire(ENDED) == 0
                && endpoint.lost(use.members[member]) == null) {
                return false;
            }
        }
        return use.ended;
    }

    /** The communicator makes no more calls. */
    public void end(PulledBlocks blocks) {
        blocks.own.putLongRelease(ENDED, 1);
        for (Use use : uses) {
            if (use != null && use.blocks == blocks) {
                use.ended = true;
            }
        }
    }
}

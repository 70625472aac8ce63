package org.brigade.transport.cuda.group;

import jcuda.driver.CUdeviceptr;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.kernel.CallArguments;

/**
 * The words in which GPUs tell hosts how far a call has come, in memory that all members share: told [member][by], 64
 * bits in a line of their own, the ticket of the last call in which that member's buffers were used by that one, and
 * its own. So in calls that have met nobody's kernel waits for another's: a rank's call has ended when all who store
 * into its buffers or load from them have told it, and its own kernel, if it has one. A receiver needs none.
 */
final class Arrivals {
    private static final int LINE = 64;

    private final GroupHostMemory memory;
    private final int rank;
    /** Words that the running call waits for, those that have come at the end. */
    private final int[] awaited = new int[2 * CallArguments.MAX_RANKS];
    private int count;
    private boolean inUse;

    Arrivals(GroupHostMemory memory, int rank) {
        this.memory = memory;
        this.rank = rank;
    }

    /** A new call, of which nothing is awaited yet. */
    void begin() {
        count = 0;
        inUse = false;
    }

    /** Whether the call's end is here to be seen, and not in the group's own word. */
    boolean inUse() {
        return inUse;
    }

    /** The words as the GPU addresses them; the call's end is here from now on. */
    long use() {
        inUse = true;
        return Addresses.of(memory.word(GroupHostMemory.TOLD));
    }

    /** The call ends when this member has told this rank, or this rank itself. */
    void await(int by) {
        awaited[count++] = at(rank, by);
    }

    /** The call ends when this rank has told the other one. */
    void awaitOutgoing(int to) {
        awaited[count++] = at(to, rank);
    }

    /** Where this rank tells another one. */
    CUdeviceptr outgoing(int to) {
        return memory.word(at(to, rank));
    }

    /** Whether all have come. */
    boolean ended(long ticket) {
        while (count > 0 && memory.get(awaited[count - 1]) == ticket) {
            count--;
        }
        return count == 0;
    }

    private static int at(int member, int by) {
        return GroupHostMemory.TOLD + LINE * (member * CallArguments.MAX_RANKS + by);
    }
}

package org.brigade.transport.cuda.group;

import jcuda.driver.CUdeviceptr;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.kernel.CallArguments;

/**
 * The words by which GPUs tell hosts how far a call has come, in memory that all members share: told [member][by], 64
 * bits in a line of their own, is the ticket of the last call in which {@code by} was done with the member's buffers;
 * told [r][r] is its own. With these words no kernel waits for another's in calls without a meeting: a rank's call has
 * ended when all who access its buffers, and its own kernel if it has one, have told so. A receiver needs no kernel.
 */
final class Arrivals {
    private static final int LINE = 64;

    private final GroupHostMemory memory;
    private final int rank;
    /** Words that the running call waits for; those that have come are at the end. */
    private final int[] awaited = new int[2 * CallArguments.MAX_RANKS];
    private int count;
    private boolean inUse;

    Arrivals(GroupHostMemory memory, int rank) {
        this.memory = memory;
        this.rank = rank;
    }

    /** Begins a new call, which waits for nothing yet. */
    void begin() {
        count = 0;
        inUse = false;
    }

    /** Whether these words, and not the group's own word, tell the end of the call. */
    boolean inUse() {
        return inUse;
    }

    /** Makes these words tell the end of the call; their address on the GPU. */
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

    /** The word by which this rank tells another. */
    CUdeviceptr outgoing(int to) {
        return memory.word(at(to, rank));
    }

    /** Whether all words have come. */
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

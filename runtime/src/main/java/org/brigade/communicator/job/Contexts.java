package org.brigade.communicator.job;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import mpi.ErrorClass;

/**
 * The contexts of the communicators that this rank leads, that is, where it is rank 0. A context is the number that
 * separates a communicator's messages from all others. A context is handed out with the number of the communicator's
 * first call, as {@code first call << 32 | context}; all members are told both.
 *
 * <p>
 * A context is reused when all members have freed its communicator and none of its messages is left anywhere. For
 * collectives this is certain: the next communicator continues the count of calls, so no key occurs twice. That holds
 * for messages by links and by multicast. Device groups and groups of a network that reduces have numbers of their own.
 * Point-to-point messages have a tag in place of the call number. So each member reports how many more messages it has
 * sent than received. If the sum is 0, all were received; otherwise the context is never used again.
 */
public final class Contexts {
    /**
     * The most calls of all communicators that use one context in turn: 31 of a key's 32 bits, so that the number stays
     * positive.
     */
    private static final long MOST_CALLS = 1L << 31;

    /** What is known of the end of one communicator. */
    private static final class Ending {
        private int members;
        private long unreceived;
        private long calls;
        private boolean clean = true;
    }

    private final int first;
    private final int most;
    private int used;
    private final ArrayDeque<Long> free = new ArrayDeque<>();
    private final Map<Integer, Ending> endings = new HashMap<>();

    /** @param first the lowest context */
    public Contexts(int first, int most) {
        this.first = first;
        this.most = most;
    }

    /** As {@link #take}, of the contexts that are known to be free; 0 if there is none. */
    public synchronized long takeFree() {
        Long again = free.poll();
        return again == null ? 0 : again;
    }

    public synchronized long take() {
        Long again = free.poll();
        if (again != null) {
            return again;
        }
        if (used == most) {
            throw ErrorClass.OTHER.in("making a communicator", "this rank leads " + most
                + " communicators that are still in use, the most there can be. A communicator is in use until all its"
                + " members have freed it and received all its messages; free communicators after their last use");
        }
        return first + used++;
    }

    /** Takes back a context that no communicator was made with, because another rank's offer was used. */
    public synchronized void giveBack(long offered) {
        free.push(offered);
    }

    /**
     * Notes that a member has freed a communicator and makes no more calls on it.
     *
     * @param ranks the size of the communicator
     * @param unreceived messages that the member has sent minus those that it has received
     * @param calls the number that the member's next call would have had
     * @param clean whether the member has no receive pending
     */
    public synchronized void ended(int context, int ranks, long unreceived, long calls, boolean clean) {
        Ending ending = endings.computeIfAbsent(context, any -> new Ending());
        ending.unreceived += unreceived;
        ending.calls = Math.max(ending.calls, calls);
        ending.clean &= clean;
        if (++ending.members == ranks) {
            endings.remove(context);
            if (ending.clean && ending.unreceived == 0 && ending.calls + 1 < MOST_CALLS) {
                free.add(ending.calls + 1 << Integer.SIZE | context);
            }
        }
    }
}

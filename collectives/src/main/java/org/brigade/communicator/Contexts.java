package org.brigade.communicator;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import mpi.ErrorClass;

/**
 * The contexts of communicators that this rank leads, which is to say that it is rank 0 there: the numbers that keep
 * their messages apart from all others'. A context is handed out with the number of the communicator's first call, as
 * {@code first call << 32 | context}, and all members are told both.
 *
 * <p>
 * It is used again when all members have freed its communicator, and none of its messages is left anywhere. Of
 * collectives that needs no proof: the next communicator counts its calls from where the last one ended, so no key
 * comes twice. Point-to-point messages have tags in place of that number; there each member says at the end how many
 * more it has sent than received, and these come to 0 if all have been received. Else the context is never used again.
 */
final class Contexts {
    /** Calls of all communicators that have one context after another: what a key has room for, and a sign. */
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

    /** @param first the least of them; so many may be in use at once */
    Contexts(int first, int most) {
        this.first = first;
        this.most = most;
    }

    synchronized long take() {
        Long again = free.poll();
        if (again != null) {
            return again;
        }
        if (used == most) {
            throw ErrorClass.OTHER.in("making a communicator", "this rank leads " + most
                + " communicators, the most there can be, that not all of their members have freed, or that were freed with messages"
                + " not received; free communicators after their last use");
        }
        return first + used++;
    }

    /** No communicator has been made with it: another rank's offer was taken. */
    synchronized void giveBack(long offered) {
        free.push(offered);
    }

    /**
     * A member has freed a communicator and makes no call on it any more.
     *
     * @param ranks of the communicator
     * @param unreceived messages that it has sent less those that it has received
     * @param calls the number of the call that would have been its next
     * @param clean whether it waits for nothing that may still come
     */
    synchronized void ended(int context, int ranks, long unreceived, long calls, boolean clean) {
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

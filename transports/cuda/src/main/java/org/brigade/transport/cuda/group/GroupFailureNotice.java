package org.brigade.transport.cuda.group;

import java.util.concurrent.atomic.AtomicInteger;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;

/**
 * How a member whose part of a device collective has failed tells the others, whose kernels wait for its own: it writes
 * the group's number to its {@link Endpoint#board}, in the part of the first line that calls do not use.
 *
 * <pre>
 *   8  the number of a group that is broken here, 0 for none    the rank whose board it is
 *  16  another, ... 15 in all; the oldest is replaced
 * </pre>
 */
final class GroupFailureNotice {
    private static final int FIRST = 8;
    private static final int WORDS = 15;
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final Endpoint endpoint;
    private final int[] members;
    private final NativeMemory[] boards;
    private final long group;

    /**
     * @param members ranks of the job
     * @param group the same on all members, different for every group of the node
     */
    GroupFailureNotice(Endpoint endpoint, int[] members, long group) {
        this.endpoint = endpoint;
        this.members = members;
        this.group = group;
        boards = new NativeMemory[members.length];
        for (int member = 0; member < members.length; member++) {
            boards[member] = endpoint.board(members[member]);
        }
    }

    /** A number for a group, from facts that are unique to its first member. */
    static long number(MemberCard first) {
        long number = first.process + Long.rotateLeft(first.scratch * 0x9E3779B97F4A7C15L, 32);
        return number == 0 ? 1 : number;
    }

    /** Tells the others that this rank does nothing more in this group. */
    void call() {
        endpoint.board(endpoint.rank()).putLongRelease(FIRST + 8 * Math.floorMod(NEXT.getAndIncrement(), WORDS), group);
    }

    /** The rank of the job that does nothing more in this group; -1 if there is none. Any thread. */
    int heard() {
        for (int member = 0; member < members.length; member++) {
            for (int word = 0; word < WORDS; word++) {
                if (boards[member].getLongAcquire(FIRST + 8 * word) == group) {
                    return members[member];
                }
            }
        }
        return -1;
    }
}

package org.brigade.engine;

import mpi.spi.Collective;
import org.brigade.engine.node.Awaited;
import org.brigade.engine.node.CallMembers;
import org.brigade.nativ.AwaitedWord;
import org.brigade.transport.Link;
import org.brigade.waiting.CallKey;
import org.brigade.waiting.Wait;
import org.brigade.waiting.Waiter;

/** Waits of a call in shared memory: makes progress meanwhile, and fails if a member is lost. */
public final class MemberWait implements CallMembers, Waiter {
    private static final int MOST_LOOKS = 512;

    private final Progress progress;
    private final Membership membership;
    private final ShortMessages messages;
    private final AwaitedWord word = new AwaitedWord();
    /** How many have looked in compiled code. */
    private int waits;
    // Of the wait that has become long.
    private long waitsWith;
    private int waitsFor;
    private int place;
    private Awaited thing;

    /** @param messages of this communicator */
    public MemberWait(Progress progress, Membership membership, ShortMessages messages) {
        this.progress = progress;
        this.membership = membership;
        this.messages = messages;
    }

    @Override
    public void await(Awaited awaited, int peer, long key, Collective collective) {
        int looks = progress.looks(MOST_LOOKS);
        Backoff idle = null;
        while (!isThere(awaited, peer, looks)) {
            if (!progress.poll()) {
                idle = turn(idle, awaited, peer, key, collective.key());
                looks = 1; // the wait is a long one
            }
        }
        progress.release(idle);
    }

    /**
     * Looks so many times. Apart, as a JVM compiles what loops first: this is little code, and the whole wait is much.
     */
    private boolean isThere(Awaited awaited, int peer, int looks) {
        if (looks > 1 && waits < AwaitedWord.FIRST_WAITS && AwaitedWord.works()) {
            waits++;
            awaited.show(peer, word);
            return word.look(looks);
        }
        for (int look = 0; look < looks; look++) {
            if (awaited.isThere(peer)) {
                return true;
            }
        }
        return false;
    }

    private Backoff turn(Backoff idle, Awaited awaited, int peer, long key, String call) {
        waitsWith = key;
        waitsFor = membership.members[peer];
        place = peer;
        thing = awaited;
        Backoff turn = progress.relax(idle, call, membership, this);
        progress.requireWell(key, membership);
        if (turn.isLong()) {
            progress.clearNotBegun(key);
            Link link = progress.link(waitsFor);
            // Who is in Finalize comes to its barrier, sooner or later.
            boolean starved = key >>> 32 != Progress.FINALIZE_CONTEXT && progress.losses.isStarvedBy(waitsFor, link);
            boolean sent = progress.hasSent(waitsFor, key) || progress.hasSent(waitsFor, CallKey.otherSide(key));
            // Asked last: what a rank publishes comes before its Finalize, and before it confirms a user's operation.
            if ((starved || sent) && !awaited.isThere(peer)) {
                throw starved ? progress.losses.neverComes(call, membership, waitsFor)
                    : progress.mismatched(call, membership, key, membership.truncated(call, "rank " + peer
                        + " sent a message of another collective; all ranks must make matching calls"));
            }
        }
        return turn;
    }

    @Override
    public void show(AwaitedWord shown) {
        thing.show(place, shown);
    }

    @Override
    public void turn() {
        progress.poll();
    }

    @Override
    public void poison(long key) {
        progress.poison(key);
    }

    @Override
    public RuntimeException failed(long key, Collective collective, Throwable cause) {
        return messages.failedIn(collective.key(), key, cause);
    }

    @Override
    public RuntimeException mismatch(long key, Collective collective, String why) {
        return progress.failed(collective.key(), membership, key, membership.truncated(collective.key(), why));
    }

    @Override
    public RuntimeException truncated(long key, Collective collective, int peer, long came, long room) {
        return progress.failed(collective.key(), membership, key,
            membership.truncated(collective.key(), peer, came, false, room));
    }

    @Override
    public RuntimeException broken(long key, Collective collective, String why) {
        return progress.failed(collective.key(), membership, key, membership.broken(collective.key(), why));
    }

    @Override
    public String communicator() {
        return membership.name();
    }

    @Override
    public void describe(Wait wait) {
        wait.collective(waitsWith);
        wait.peer(waitsFor);
    }
}

package org.brigade.failure;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;

/**
 * What this process knows of lost ranks, revoked communicators and agreements, in one job or union of jobs. Notices
 * come on the point-to-point lane, which a rank empties whenever it waits. Under the progress lock.
 */
public final class Failures implements Progress.Survivors {
    /** Looks in which the messages of dead ranks are taken: more than they can be. */
    private static final int MOST_LOOKS = 10_000;

    /** A communicator here. */
    private static final class Known {
        /** Null after it has been freed. */
        Membership membership;
        /** Between two groups: the context of this rank's own group, which ends with the communicator; else 0. */
        int group;
        /** The number of this rank's next agreement; those before it have begun. */
        long next;
    }

    private final Progress progress;
    /** Of notices: no member of it is ever lost, so they outlive the communicators that they are about. */
    private final Membership sender;
    private final Map<Integer, Known> known = new HashMap<>();
    /** Ranks of the job that are dead, and whose messages have been taken. */
    private final BitSet dead = new BitSet();
    private final Map<Long, Consensus> agreements = new HashMap<>();

    public Failures(Progress progress) {
        this.progress = progress;
        this.sender = new Membership(0, new int[] {progress.endpoint.rank()}, "notices", true);
        progress.attach(this);
    }

    /**
     * A communicator has been made.
     *
     * @param first the number of its first call
     * @param group between two groups: the context of this rank's own group, which is revoked with it; else 0
     */
    public void opened(int context, long first, Membership membership, int group) {
        progress.lock.lock();
        try {
            Known its = known.get(context);
            if (its == null) {
                its = new Known();
                known.put(context, its);
            }
            its.membership = membership;
            its.group = group;
            its.next = Math.max(its.next, first);
            if (progress.isRevoked((long) context << Integer.SIZE)) {
                revoke(context, membership); // a member was quicker
            }
        } finally {
            progress.lock.unlock();
        }
    }

    /** It has been freed. @return the number that its next agreement would have had */
    public long closed(int context) {
        progress.lock.lock();
        try {
            Known its = known.get(context);
            its.membership = null;
            return its.next;
        } finally {
            progress.lock.unlock();
        }
    }

    // ---- revocation ----

    /**
     * Revokes a communicator: all its calls on all members fail from now on. Every member that hears of it tells all
     * others, so all hear of it that are left, even if this rank dies now.
     */
    public void revoke(int context, Membership membership) {
        progress.revoke(context, membership);
        int group = known.get(context).group;
        if (group != 0) {
            progress.revoke(group, known.get(group).membership);
        }
        for (int member : membership.members) {
            if (member != progress.endpoint.rank() && !dead.get(member)) {
                progress.source().tell(member, sender, Progress.REVOKED, (long) context << Integer.SIZE, new byte[0]);
            }
        }
    }

    // ---- losses ----

    /** Takes what lost ranks have sent. */
    @Override
    public void lost() {
        BitSet now = new BitSet();
        for (int rank = 0; rank < progress.endpoint.size(); rank++) {
            if (!dead.get(rank) && progress.endpoint.lost(rank) != null) {
                now.set(rank);
            }
        }
        if (now.isEmpty()) {
            return;
        }
        for (int look = 0; look < MOST_LOOKS && progress.source().poll(); look++) {
            // All that they have sent was written before they died.
        }
        dead.or(now);
        for (Consensus each : agreements.values().toArray(new Consensus[0])) {
            each.step(dead);
        }
    }

    // ---- agreements ----

    /** Begins the communicator's next agreement. @return its key */
    long begin(int context, Ballot word) {
        progress.noticeLosses();
        Known its = known.get(context);
        long key = (long) context << Integer.SIZE | its.next++ & 0xffff_ffffL;
        of(key).begin(its.membership, word, dead);
        return key;
    }

    private Consensus of(long key) {
        Consensus its = agreements.get(key);
        if (its == null) {
            its = new Consensus(
                (member, ballot) -> progress.source().tell(member, sender, Progress.AGREEMENT, key, ballot),
                progress.endpoint::isLeaving);
            agreements.put(key, its);
        }
        return its;
    }

    /** The result of an agreement that this rank has begun, once; null before there is one. */
    Ballot result(long key) {
        Ballot result = agreements.get(key).result(dead);
        if (result != null) {
            agreements.remove(key);
        }
        return result;
    }

    /** See {@link Consensus#missing}. */
    int missing(long key) {
        return agreements.get(key).missing(dead);
    }

    @Override
    public void told(int from, int notice, long key, byte[] words) {
        int context = (int) (key >>> Integer.SIZE);
        Known its = known.get(context);
        if (notice == Progress.REVOKED) {
            heardOfRevocation(context, its == null ? null : its.membership, key);
        } else if (dead.get(from)) {
            return; // it calls itself ended, and goes on for a moment: the others have begun without it
        } else if (its == null || agreements.containsKey(key) || (int) key - (int) its.next >= 0) {
            of(key).came(from, Ballot.isWord(words), Ballot.of(words), dead);
        } // else this rank has ended that agreement
    }

    private void heardOfRevocation(int context, Membership membership, long key) {
        if (progress.isRevoked(key)) {
            return;
        }
        if (membership == null) {
            progress.revokeUnknown(context);
        } else {
            revoke(context, membership);
        }
    }
}

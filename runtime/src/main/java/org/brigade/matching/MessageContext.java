package org.brigade.matching;

import org.brigade.engine.Membership;

/**
 * The context in which the messages of one communicator match: its number, its members, and how many of its messages no
 * receive has found yet. Under the progress lock.
 */
final class MessageContext {
    final int number;
    final Membership membership;
    private final RankIndex ranks;
    private long unreceived;

    MessageContext(int number, Membership membership) {
        this.number = number;
        this.membership = membership;
        ranks = RankIndex.of(membership.members);
    }

    /** The key of messages with this tag. */
    long key(int tag) {
        return Protocol.key(number, tag);
    }

    /** The member that is this rank of the job; -1 if none is. */
    int rankOf(int world) {
        return ranks.of(world);
    }

    /** This rank has sent a message. */
    void hasSent() {
        unreceived++;
    }

    /** A message has found its receive. */
    void hasReceived() {
        unreceived--;
    }

    /** Messages that this rank has sent here, less those it has received. */
    long unreceived() {
        return unreceived;
    }
}

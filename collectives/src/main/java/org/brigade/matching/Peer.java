package org.brigade.matching;

import org.brigade.transport.Link;

/** What point-to-point keeps of one rank of the job that this one has to do with. */
final class Peer {
    final int world;
    final Link link;

    /** Where the rest of the message at the link's head goes; at most one of the two. */
    RecvOperation filling;
    Unexpected storing;
    /** Number of bytes of the head message that have been taken, if it has a place. */
    long taken;
    /** Eager bytes that we have not told this sender we received. */
    long owedCredit;

    /** Sends that wait for their turn on the link. */
    SendOperation queueFirst;
    SendOperation queueLast;
    /** Eager bytes that this receiver has not told us it received. */
    long outstanding;
    /** It is lost: nothing goes to it any more, as its link may be in the middle of a message. */
    boolean lost;

    Peer(int world, Link link) {
        this.world = world;
        this.link = link;
    }
}

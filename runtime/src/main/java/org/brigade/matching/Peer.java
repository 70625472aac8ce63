package org.brigade.matching;

import org.brigade.transport.Link;

/** What point-to-point knows of one rank of the job. */
final class Peer {
    final int world;
    final Link link;

    /** Where the rest of the message at the link's head goes; at most one of the two is set. */
    RecvOperation filling;
    Unexpected storing;
    /** Bytes of the head message that have been taken, if it has a place. */
    long taken;
    /** Eager bytes received from this sender but not yet reported to it. */
    long owedCredit;

    /** Sends that wait for their turn on the link. */
    SendOperation queueFirst;
    SendOperation queueLast;
    /** Eager bytes that this receiver has not yet reported as received. */
    long outstanding;
    /** Whether the rank is lost: nothing is sent to it any more, as its link may be in the middle of a message. */
    boolean lost;

    Peer(int world, Link link) {
        this.world = world;
        this.link = link;
    }
}

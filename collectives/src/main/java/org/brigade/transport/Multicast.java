package org.brigade.transport;

/**
 * One stream of messages from each of some ranks, one a node, to all others of them: what is sent is stored once and
 * reaches all. Nobody's messages are lost on a member that is slow: a sender gets no credit before all members have
 * made room.
 */
public interface Multicast {
    /**
     * What this rank sends reaches all other members. Null where it is no member.
     */
    OutboundLink toAll();

    /**
     * What a member sends to all. Its messages come in their order and whole, or not at all.
     *
     * @param member its position among the members; not this rank's own
     */
    InboundLink from(int member);

    /** From now on nobody takes what the others send: it is thrown away as it comes, so that they are not held up. */
    void abandon();

    /** Ends this rank's part, once what it has sent has arrived; the others end theirs. Never throws. Does not wait. */
    void end();
}

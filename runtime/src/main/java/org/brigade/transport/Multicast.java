package org.brigade.transport;

/**
 * Connects some ranks, one on each node, as members. Each member has one stream of messages to all other members: it
 * stores a message once, and it reaches all. A slow member loses no message: a sender gets no credit before all members
 * have made room.
 */
public interface Multicast {
    /** The stream from this rank to all other members; null if this rank is no member. */
    OutboundLink toAll();

    /**
     * The stream from a member. Its messages come in order and whole, or not at all.
     *
     * @param member index of the member among the members; not this rank's own
     */
    InboundLink from(int member);

    /** Throws away what the other members send from now on, so that they are not held up. */
    void abandon();

    /** Ends this rank's part once its messages have arrived; each member ends its own. Never throws. Does not wait. */
    void end();
}

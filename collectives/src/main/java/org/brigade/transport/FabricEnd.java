package org.brigade.transport;

/** This rank's end of a {@link Fabric}: its links to the ranks of other nodes. */
public interface FabricEnd extends AutoCloseable {
    /**
     * The lane of notices between endpoints, beside those of {@link Endpoint}: few messages, none longer than
     * {@link #NOTICE_BYTES}.
     */
    int CONTROL = Endpoint.LANES;
    int LANES = Endpoint.LANES + 1;
    int NOTICE_BYTES = 2048;

    /**
     * The link to a rank of another node. Lanes are independent of each other: one that is full or whose messages
     * nobody takes holds up no other, and they need not keep any order between them. A link has room for two messages
     * of 1 KiB each way at least. The lane {@link #CONTROL} may be used by another thread while one uses the others.
     *
     * @return always the same object for the same arguments
     */
    Link link(int peer, int lane);

    /**
     * How many peers this rank has to do with so far, as {@link Endpoint#met()}: looks whether there are more. Ranks of
     * its own node may be among them, who are met anyway.
     */
    int met();

    /** The rank of a number below {@link #met()}. */
    int met(int number);

    /**
     * Whether anything may have gone to or come from a peer: those that are told when this rank leaves, or the job
     * fails. Any thread.
     */
    boolean isConnected(int peer);

    /**
     * Whether this fabric has found by itself that a peer cannot be reached any more. Any thread; cheap enough for a
     * few peers every few milliseconds.
     *
     * @return null if all is well as far as it knows, else a sentence that names the rank and what happened, in the
     * fabric's own words
     */
    String lost(int peer);

    /**
     * How one message reaches several nodes at once; null if this fabric has no such way. The same answer on all ranks.
     */
    default Multicasts multicasts() {
        return null;
    }

    /** Whether messages need a processor beside those that wait for them: the kernel's, for networks that it serves. */
    default boolean yields() {
        return false;
    }

    /** As {@link Endpoint#push}. */
    default void push() {
    }

    /** Lets go of everything. What links have accepted still reaches the peers. Never throws. */
    @Override
    void close();
}

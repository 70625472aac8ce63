package org.brigade.transport;

/** This rank's end of a {@link Fabric}: its links to the ranks of other nodes. */
public interface FabricEnd extends AutoCloseable {
    /**
     * The lane of notices between endpoints, in addition to those of {@link Endpoint}. It carries few messages, none
     * longer than {@link #NOTICE_BYTES}.
     */
    int CONTROL = Endpoint.LANES;
    int LANES = Endpoint.LANES + 1;
    int NOTICE_BYTES = 2048;

    /**
     * The link to a rank of another node. Lanes are independent: a full lane holds up no other lane, and there is no
     * order between lanes. A link has room for at least two messages of 1 KiB in each direction. One thread may use the
     * lane {@link #CONTROL} while another uses the other lanes.
     *
     * @return always the same object for the same arguments
     */
    Link link(int peer, int lane);

    /**
     * Looks for new peers and returns how many this rank has met so far; see {@link Endpoint#met()}. Ranks of its own
     * node may be among them.
     */
    int met();

    /** The rank of the met peer with this number, which is below {@link #met()}. */
    int met(int number);

    /**
     * Whether messages may have gone to or come from a peer. Such peers are told when this rank leaves or the job
     * fails. Any thread.
     */
    boolean isConnected(int peer);

    /**
     * Whether this fabric has found by itself that it can no longer reach a peer. Any thread; cheap enough for a few
     * peers every few milliseconds.
     *
     * @return null if all is well as far as it knows, else a sentence that names the rank and what happened, in the
     * fabric's own words
     */
    String lost(int peer);

    /**
     * The way to send one message to several nodes at once; null if this fabric has none. The same answer on all ranks.
     */
    default Multicasts multicasts() {
        return null;
    }

    /**
     * Whether messages need processor time of others than the waiting threads: for example the kernel's, on networks
     * that it serves.
     */
    default boolean yields() {
        return false;
    }

    /** See {@link Endpoint#wakes}. */
    default boolean wakes() {
        return false;
    }

    /** See {@link Endpoint#sleep}. Only if it {@link #wakes}. */
    default void sleep(long nanos) {
    }

    /** See {@link Endpoint#push}. */
    default void push() {
    }

    /** Releases everything. Accepted messages still reach the peers. Never throws. */
    @Override
    void close();
}

package org.brigade.aggregation;

/**
 * How the members of a group that is being made speak to each other, before and beside the network that reduces: over
 * the ordinary links. All members make the same calls.
 */
public interface OutOfBand {
    /** This member's number, from 0. */
    int rank();

    int size();

    /**
     * Tells all members some bytes, and hears theirs; all give equally many.
     *
     * @return by member, ours too
     */
    byte[][] allgather(byte[] own);

    /**
     * One turn of waiting for the network, to be called by this member alone as often as it waits: others of this
     * process go on meanwhile, and so does what moves between ranks.
     *
     * @throws mpi.MPIException if a member is lost, and that is an error of calls: whoever waits gives up what it has
     * begun and passes it on
     */
    void pause();
}

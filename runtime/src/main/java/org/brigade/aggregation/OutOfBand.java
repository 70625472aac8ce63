package org.brigade.aggregation;

/**
 * How the members of a new group communicate before and beside the reducing network: over the ordinary links. All
 * members make the same calls.
 */
public interface OutOfBand {
    /** This member's number, from 0. */
    int rank();

    int size();

    /**
     * Gives every member the bytes of all members; all pass equally many.
     *
     * @return by member, this one's included
     */
    byte[][] allgather(byte[] own);

    /**
     * Makes progress once while this member waits for the network. Only this member calls it, as often as it likes:
     * other threads of this process and traffic between ranks go on meanwhile.
     *
     * @throws mpi.MPIException if a member is lost and the communicator returns errors; the waiting caller then gives
     * up what it has begun and rethrows
     */
    void pause();
}

package org.brigade.engine.node;

import mpi.spi.Collective;

/**
 * The other members of a call in shared memory: how this rank waits for them, and how they hear that it has failed.
 * Under the lock.
 */
public interface CallMembers {
    /**
     * Waits for what a member makes visible in a call that all have begun.
     *
     * @throws mpi.MPIException if the member is lost, or the call has failed on a member
     */
    void await(Awaited awaited, int member, long key, Collective collective);

    /** One turn of a wait that must not fail. */
    void turn();

    /** The call has failed here: what comes of it later is thrown away. */
    void poison(long key);

    /** What a call that has failed within an exchange, or after it, must throw. The other members hear of it. */
    RuntimeException failed(long key, Collective collective, Throwable cause);

    /** The error of a call whose arguments do not fit those of another member; the others hear of it. */
    RuntimeException mismatch(long key, Collective collective, String why);

    /** The error of a call for which a member has sent more than there is room for; the others hear of it. */
    RuntimeException truncated(long key, Collective collective, int peer, long came, long room);

    /** The error of a call on a communicator that cannot be used any more; the others hear of it. */
    RuntimeException broken(long key, Collective collective, String why);

    /** The communicator's name. */
    String communicator();
}

package org.brigade.communicator.execution;

import mpi.spi.Call;
import mpi.spi.Operation;
import org.brigade.select.Choice;

/**
 * Runs the collective calls of one communicator whose algorithms have one {@link org.brigade.algorithm.Execution}.
 * Under the progress lock.
 */
public interface Executor {
    /** Whether a call can be served. */
    enum Service {
        NO, YES,
        /** Only if all members can serve it: ask them with {@link Executor#agree}. */
        ASK
    }

    /**
     * Whether this executor can serve a call by the chosen algorithm. Sends no message. The same answer on all members,
     * except for calls on devices.
     */
    Service serves(Call call, Choice choice);

    /**
     * Asks all members, which are in the same call, and returns whether all can serve it; the same answer on all
     * members.
     */
    boolean agree(Call call, Choice choice);

    /**
     * Runs a call that this executor serves.
     *
     * @param key of the call's messages
     * @return null if the call was blocking, and is done; else the operation under way
     */
    Operation run(Call call, Choice choice, long key);
}

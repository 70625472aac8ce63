package org.brigade.communicator.execution;

import mpi.spi.Call;
import mpi.spi.Operation;
import org.brigade.select.Choice;

/**
 * A way to run the collective calls of one communicator, for the algorithms of one
 * {@link org.brigade.algorithm.Execution}. Under the progress lock.
 */
public interface Executor {
    /** Whether a call can be served. */
    enum Service {
        NO, YES,
        /** If all members can: they have to be asked. */
        ASK
    }

    /** Whether it can serve a call by the algorithm that was chosen; the same on all members. Asks nobody. */
    Service serves(Call call, Choice choice);

    /** Asks all members, which are in the same call and do the same; whether all can. */
    boolean agree(Call call, Choice choice);

    /**
     * Runs a call that it serves.
     *
     * @param key of the call's messages
     * @return null if the call was blocking, and is done; else the operation under way
     */
    Operation run(Call call, Choice choice, long key);
}

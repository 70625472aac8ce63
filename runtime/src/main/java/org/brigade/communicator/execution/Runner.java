package org.brigade.communicator.execution;

import mpi.spi.Call;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import org.brigade.communicator.call.CallSequence;
import org.brigade.select.Choice;

/**
 * Runs the calls of one communicator in the way of one algorithm, whose {@link org.brigade.algorithm.Algorithm#open}
 * opens it. Under the progress lock.
 */
public interface Runner {
    /** Whether a runner takes a call. */
    enum Offer {
        NO, YES,
        /** Only if all members can: ask them with {@link Runner#agree}. */
        ASK
    }

    /** Whether this runner takes a call. Sends no message. The same answer on all members, but for calls on devices. */
    Offer offer(Call call);

    /** Whether {@link #offer} says yes to every blocking call. */
    default boolean takesBlocking() {
        return false;
    }

    /**
     * Asks all members, which are in the same call, and returns whether all can take it; the same answer on all
     * members.
     */
    default boolean agree(Call call) {
        return true;
    }

    /**
     * Whether JVMs that have compiled nothing yet should go on with this runner, which has made a call on them; the
     * same answer on all members.
     */
    default boolean isForColdCalls() {
        return true;
    }

    /**
     * Runs a call that this runner takes.
     *
     * @param key of the call's messages
     * @return null if the call was blocking, and is done; else the operation under way
     */
    Operation start(Call call, long key);

    /**
     * Prepares a call that is started again and again. A start must not wait for other ranks.
     *
     * @param starts gives the keys of the starts
     * @param atEnd called when the operation is freed
     * @return null if the algorithm's schedule has to run the starts
     */
    default PersistentOperation prepare(Call call, Choice choice, CallSequence starts, Runnable atEnd) {
        return null;
    }

    /**
     * How to run calls that are described as a blocking one that has just returned; see {@link Call#memo}.
     *
     * @return null: as ever
     */
    default Repeat repeat(Call call) {
        return null;
    }

    /** Called when the communicator is freed: no more calls begin. */
    default void end() {
    }
}

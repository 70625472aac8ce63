package org.brigade.matching;

import mpi.MPIException;
import mpi.spi.Operation;
import org.brigade.engine.Membership;
import org.brigade.memory.Region;
import org.brigade.waiting.Wait;
import org.brigade.waiting.Waiter;

/** A send or receive under way. Under the progress lock, but for {@link #test}, {@link #await} and {@link #cancel}. */
abstract class MessageOperation implements Operation, Waiter {
    final Matching matching;
    final Region region = new Region();
    /** Rank of the other side in the job, or {@link RecvOperation#ANY}. */
    int world;
    boolean done;
    RuntimeException failure;

    MessageOperation(Matching matching) {
        this.matching = matching;
    }

    /** The user's call, for errors. */
    abstract String call();

    abstract Membership membership();

    /** The one rank of the job whose word it still waits for; -1 if it is any, or none. */
    abstract int awaited();

    @Override
    public void describe(Wait wait) {
        wait.on(membership().name());
        if (awaited() >= 0) {
            wait.peer(awaited());
        }
    }

    /** Ends it, as a rank that it waits for is in Finalize. */
    abstract void starve(MPIException why);

    /** Whether a wait for it must end with an error, though it has not ended. */
    boolean isInterrupted() {
        return false;
    }

    /** Throws what went wrong, if anything has. */
    abstract void raise();

    @Override
    public final boolean test() {
        matching.progress.lock.lock();
        try {
            if (!done) {
                matching.progress.poll();
            }
            if (!done) {
                matching.progress.testedInVain();
            }
            if (done || isInterrupted()) {
                raise();
            }
            return done;
        } finally {
            matching.progress.lock.unlock();
        }
    }

    @Override
    public final void await() {
        matching.progress.lock.lock();
        try {
            matching.await(this);
            raise();
        } finally {
            matching.progress.lock.unlock();
        }
    }
}

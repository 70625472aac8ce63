package org.brigade.matching;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import mpi.MPIException;
import mpi.spi.Operation;
import org.brigade.engine.Backoff;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.transport.Endpoint;
import org.brigade.waiting.Wait;
import org.brigade.waiting.Waiter;

/**
 * A send or receive under way. Under the progress lock, but for {@link #hasSucceeded}, {@link #test}, {@link #await}
 * and {@link #cancel}.
 */
abstract class MessageOperation implements Operation, Waiter {
    static final int ANY = -1;
    private static final VarHandle DONE;

    static {
        try {
            DONE = MethodHandles.lookup().findVarHandle(MessageOperation.class, "done", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Progress progress;
    /** Rank of the other side in the job, or {@link #ANY}. */
    int world;
    boolean done;
    RuntimeException failure;

    MessageOperation(Progress progress) {
        this.progress = progress;
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

    /** It has ended: whoever finds that by {@link #hasSucceeded} sees all that was stored before. */
    final void ends() {
        DONE.setRelease(this, true);
    }

    /** @return what {@link #hasSucceeded} does, for an operation that is not part of another */
    final boolean hasEndedWell() {
        return (boolean) DONE.getAcquire(this) && failure == null;
    }

    /** Throws what went wrong, if anything has. */
    abstract void raise();

    @Override
    public final boolean test() {
        progress.lock.lock();
        try {
            if (!done) {
                progress.poll();
            }
            if (!done) {
                progress.testedInVain();
            }
            if (done || isInterrupted()) {
                raise();
            }
            return done;
        } finally {
            progress.lock.unlock();
        }
    }

    @Override
    public final void await() {
        progress.lock.lock();
        try {
            awaitLocked();
            raise();
        } finally {
            progress.lock.unlock();
        }
    }

    /** Waits until it has ended. Under the lock. */
    final void awaitLocked() {
        Backoff idle = null;
        while (!done && !isInterrupted()) {
            if (!progress.poll()) {
                int peer = awaited();
                if (idle != null && peer >= 0
                    && progress.losses.isStarvedBy(peer, progress.endpoint.link(peer, Endpoint.POINT_TO_POINT))) {
                    starve(progress.losses.neverComes(call(), membership(), peer));
                } else {
                    idle = progress.relax(idle, call(), membership().together(), this);
                }
            } else if (idle != null) {
                idle.reset();
            }
        }
        progress.release(idle);
    }
}

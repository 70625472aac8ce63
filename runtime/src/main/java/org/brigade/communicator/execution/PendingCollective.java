package org.brigade.communicator.execution;

import mpi.spi.Envelope;
import mpi.spi.Operation;
import org.brigade.engine.Backoff;
import org.brigade.engine.Progress;

/**
 * A collective under way. Any call of this rank that moves messages may finish it; a thread that waits for it moves
 * messages itself. A failure is thrown once.
 */
public abstract class PendingCollective implements Operation {
    private final Progress progress;
    private final String call;
    /** Why it failed; null if it has not failed or the failure was already thrown. */
    protected RuntimeException failure;

    protected PendingCollective(Progress progress, String call) {
        this.progress = progress;
        this.call = call;
    }

    /** Whether it has ended. Under the progress lock. */
    protected abstract boolean isDone();

    /** Whether another operation, which does this one's work, has ended; takes over its failure. Under the lock. */
    protected final boolean follows(PendingCollective other) {
        boolean done = other.isDone();
        if (done) {
            failure = other.failure;
        }
        return done;
    }

    private void raise() {
        if (failure != null) {
            RuntimeException once = failure;
            failure = null;
            throw once;
        }
    }

    @Override
    public final boolean test() {
        progress.lock.lock();
        try {
            if (!isDone()) {
                progress.poll();
            }
            boolean done = isDone();
            if (done) {
                raise();
            } else {
                progress.testedInVain();
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
            finish();
        } finally {
            progress.lock.unlock();
        }
    }

    /** Waits until it has ended and throws its failure. Under the lock, which is released between looks. */
    public final void finish() {
        settle();
        raise();
    }

    /** As {@link #finish}, but leaves the failure for the operation's own waiter. */
    public final void settle() {
        Backoff idle = null;
        while (!isDone()) {
            if (!progress.poll()) {
                idle = progress.relax(idle, call, null);
            } else if (idle != null) {
                idle.reset();
            }
        }
        progress.release(idle);
    }

    /** Collectives cannot be cancelled. */
    @Override
    public final void cancel() {
    }

    @Override
    public final void describe(Envelope envelope) {
        envelope.fill(-1, -1, 0, false);
    }
}

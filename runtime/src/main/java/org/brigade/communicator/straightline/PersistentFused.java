package org.brigade.communicator.straightline;

import mpi.spi.Envelope;
import mpi.spi.PersistentOperation;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.engine.Backoff;
import org.brigade.engine.FusedStart;
import org.brigade.engine.Progress;
import org.brigade.select.Choice;

/**
 * A small collective among few ranks that is started again and again as straight-line code. A start sends; a wait or a
 * test receives. Nobody waits for this rank meanwhile, as it has nothing more to send.
 */
final class PersistentFused implements PersistentOperation {
    private final Progress progress;
    private final CallSequence starts;
    private final FusedStart fused;
    private final Choice choice;
    private final Runnable atEnd;
    private boolean done = true;
    /** A thread receives, and may wait meanwhile without the lock; the others leave the messages to that thread. */
    private boolean finishing;

    /**
     * @param starts gives the keys: every start on every rank counts
     * @param atEnd called when it is freed
     */
    PersistentFused(Progress progress, CallSequence starts, FusedStart fused, Choice choice, Runnable atEnd) {
        this.progress = progress;
        this.starts = starts;
        this.fused = fused;
        this.choice = choice;
        this.atEnd = atEnd;
    }

    @Override
    public void start() {
        progress.lock.lock();
        try {
            long key = starts.take();
            Diagnostics.ran(choice);
            fused.post(key);
            done = false;
        } finally {
            progress.lock.unlock();
        }
    }

    @Override
    public boolean test() {
        progress.lock.lock();
        try {
            if (done) {
                return true;
            }
            boolean failed = true;
            try {
                boolean ready = !finishing && fused.isReady();
                failed = false;
                if (ready) {
                    finish();
                } else {
                    progress.testedInVain();
                }
            } finally {
                done |= failed;
            }
            return done;
        } finally {
            progress.lock.unlock();
        }
    }

    @Override
    public void await() {
        progress.lock.lock();
        try {
            Backoff idle = null;
            while (finishing) {
                idle = progress.turn(idle, fused.call(), Progress.NOBODYS_KEY, null);
            }
            progress.release(idle);
            if (!done) {
                finish();
            }
        } finally {
            progress.lock.unlock();
        }
    }

    /** Ends it, well or not: a failure is thrown once. */
    private void finish() {
        finishing = true;
        try {
            fused.finish();
        } finally {
            finishing = false;
            done = true;
        }
    }

    /** Collectives cannot be cancelled. */
    @Override
    public void cancel() {
    }

    @Override
    public void describe(Envelope envelope) {
        envelope.fill(-1, -1, 0, false);
    }

    /** MPI forbids to free an active collective. Here that waits, so that its messages do not stay on the links. */
    @Override
    public void free() {
        try {
            await();
        } finally {
            atEnd.run();
        }
    }
}

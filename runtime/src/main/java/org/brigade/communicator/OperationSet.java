package org.brigade.communicator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;

/**
 * Several operations under way that make one call of a communicator between two groups. They are complete when all are;
 * then comes a last step. The loss of a member ends them: a member that has heard of it may have left the call.
 */
abstract class OperationSet implements Operation {
    private final Progress progress;
    private final Membership both;
    private final String call;
    /** Held by the thread that completes parts, also while it waits for one. */
    private final ReentrantLock turn = new ReentrantLock();
    private final List<Operation> parts = new ArrayList<>();
    /** The first part that has not ended. */
    private int next;
    private boolean finished;
    private RuntimeException failure;

    /** @param both the members of both groups */
    OperationSet(Progress progress, Membership both, String call) {
        this.progress = progress;
        this.both = both;
        this.call = call;
        progress.lock.lock();
        try {
            MPIException lost = progress.losses.lostAlready(call, both);
            if (lost != null) {
                throw lost;
            }
        } finally {
            progress.lock.unlock();
        }
    }

    final void add(Operation part) {
        parts.add(part);
    }

    /** The call cannot begin: what has begun of it waits for nothing any more. */
    final void abandon() {
        for (Operation part : parts) {
            part.cancel();
        }
    }

    /** The last step; called once, if all parts have ended well. */
    protected abstract void finish();

    @Override
    public final boolean test() {
        if (!turn.tryLock()) {
            // A thread waits for a part: that thread finds out what has become of it.
            progress.lock.lock();
            try {
                progress.testedInVain();
            } finally {
                progress.lock.unlock();
            }
            return false;
        }
        try {
            while (next < parts.size()) {
                try {
                    if (parts.get(next).test()) {
                        next++;
                    } else if (isPossible()) {
                        return false;
                    }
                } catch (RuntimeException e) {
                    failed(e);
                }
            }
            end();
            return true;
        } finally {
            turn.unlock();
        }
    }

    /** @throws MPIException if it is not */
    private boolean isPossible() {
        progress.lock.lock();
        try {
            MPIException lost = progress.losses.lostAlready(call, both);
            if (lost != null) {
                throw lost;
            }
            return true;
        } finally {
            progress.lock.unlock();
        }
    }

    @Override
    public final void await() {
        turn.lock();
        try {
            while (next < parts.size()) {
                try {
                    parts.get(next).await();
                    next++;
                } catch (RuntimeException e) {
                    failed(e);
                }
            }
            end();
        } finally {
            turn.unlock();
        }
    }

    /** The rest ends, too, so that no later call meets its messages. If a rank is lost, the rest may never come. */
    private void failed(RuntimeException why) {
        if (failure == null) {
            failure = why;
        }
        if (!(why instanceof MPIException error) || error.getErrorClass() != ErrorClass.PROC_FAILED.code
            && error.getErrorClass() != ErrorClass.REVOKED.code) {
            next++;
        } else {
            while (next < parts.size()) {
                parts.get(next++).cancel();
            }
        }
    }

    private void end() {
        if (!finished) {
            finished = true;
            if (failure == null) {
                finish();
            }
        }
        if (failure != null) {
            RuntimeException once = failure;
            failure = null;
            throw once;
        }
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

package org.brigade.communicator;

import java.util.ArrayList;
import java.util.List;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Envelope;
import mpi.spi.Operation;

/** Several operations under way that make one. They are complete when all are; then comes a last step. */
abstract class OperationSet implements Operation {
    private final List<Operation> parts = new ArrayList<>();
    /** The first part that has not ended. */
    private int next;
    private boolean finished;
    private RuntimeException failure;

    final void add(Operation part) {
        parts.add(part);
    }

    /** The last step; called once, if all parts have ended well. */
    protected abstract void finish();

    @Override
    public final synchronized boolean test() {
        while (next < parts.size()) {
            try {
                if (!parts.get(next).test()) {
                    return false;
                }
                next++;
            } catch (RuntimeException e) {
                failed(e);
            }
        }
        end();
        return true;
    }

    @Override
    public final synchronized void await() {
        while (next < parts.size()) {
            try {
                parts.get(next).await();
                next++;
            } catch (RuntimeException e) {
                failed(e);
            }
        }
        end();
    }

    /** The rest ends, too, so that no later call meets its messages. If a rank is lost, the rest may never come. */
    private void failed(RuntimeException why) {
        next++;
        if (failure == null) {
            failure = why;
        }
        if (why instanceof MPIException error && error.getErrorClass() == ErrorClass.PROC_FAILED.code) {
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

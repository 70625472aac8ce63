package org.brigade.communicator;

import mpi.spi.Envelope;
import mpi.spi.Operation;
import org.brigade.engine.Cursor;
import org.brigade.engine.Idle;
import org.brigade.engine.Progress;

/** A nonblocking collective under way. */
final class CollectiveOperation implements Operation {
    private final Progress progress;
    private final CursorPool pool;
    private final String call;
    private Cursor cursor;
    private RuntimeException failure;

    /** Takes over a cursor that has been launched. */
    CollectiveOperation(Progress progress, CursorPool pool, Cursor cursor, String call) {
        this.progress = progress;
        this.pool = pool;
        this.cursor = cursor;
        this.call = call;
        settle();
    }

    private boolean settle() {
        if (cursor != null && cursor.finished()) {
            failure = cursor.failure();
            pool.release(cursor);
            cursor = null;
        }
        return cursor == null;
    }

    private void raise() {
        if (failure != null) {
            RuntimeException once = failure;
            failure = null;
            throw once;
        }
    }

    @Override
    public boolean test() {
        progress.lock.lock();
        try {
            if (!settle()) {
                progress.poll();
            }
            boolean done = settle();
            if (done) {
                raise();
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
            Idle idle = null;
            while (!settle()) {
                if (!progress.poll()) {
                    idle = progress.relax(idle, call, null);
                } else if (idle != null) {
                    idle.reset();
                }
            }
            progress.release(idle);
            raise();
        } finally {
            progress.lock.unlock();
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
}

package org.brigade.communicator.execution;

import java.util.function.Supplier;
import org.brigade.communicator.call.CursorPool;
import org.brigade.engine.Cursor;
import org.brigade.engine.Progress;

/**
 * A nonblocking collective with a user's function, under way. When its schedule has ended, the ranks tell each other
 * that the function has thrown on none of them.
 */
final class ConfirmedOperation extends PendingCollective implements Cursor.Sequel {
    private final CursorPool pool;
    /** Makes the cursor of this last step; null once the step runs. */
    private Supplier<Cursor> last;
    private boolean done;

    /** Starts a cursor on which {@link Cursor#begin} was called. */
    ConfirmedOperation(Progress progress, CursorPool pool, Cursor cursor, Supplier<Cursor> last, String call) {
        super(progress, call);
        this.pool = pool;
        this.last = last;
        cursor.start(this);
        progress.poll();
    }

    @Override
    public void ended(Cursor cursor) {
        failure = cursor.failure();
        pool.release(cursor);
        if (failure == null && last != null) {
            Cursor next = last.get();
            last = null;
            next.start(this);
        } else {
            done = true;
        }
    }

    @Override
    protected boolean isDone() {
        return done;
    }
}

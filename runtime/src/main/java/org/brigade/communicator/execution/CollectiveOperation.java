package org.brigade.communicator.execution;

import org.brigade.communicator.call.CursorPool;
import org.brigade.engine.Cursor;
import org.brigade.engine.Progress;

/** A nonblocking collective under way. */
final class CollectiveOperation extends PendingCollective {
    private final CursorPool pool;
    private Cursor cursor;

    /** Takes over a launched cursor. */
    CollectiveOperation(Progress progress, CursorPool pool, Cursor cursor, String call) {
        super(progress, call);
        this.pool = pool;
        this.cursor = cursor;
        isDone();
    }

    @Override
    protected boolean isDone() {
        if (cursor != null && cursor.finished()) {
            failure = cursor.failure();
            pool.release(cursor);
            cursor = null;
        }
        return cursor == null;
    }
}

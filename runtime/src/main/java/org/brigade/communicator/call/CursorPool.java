package org.brigade.communicator.call;

import java.util.Arrays;
import org.brigade.engine.Cursor;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;

/** Reuses the cursors of one communicator. */
public final class CursorPool {
    private final Progress progress;
    private final Membership membership;
    private Cursor[] free = new Cursor[4];
    private int count;

    public CursorPool(Progress progress, Membership membership) {
        this.progress = progress;
        this.membership = membership;
    }

    public Cursor take() {
        return count > 0 ? free[--count] : new Cursor(progress, membership);
    }

    public void release(Cursor cursor) {
        if (count == free.length) {
            free = Arrays.copyOf(free, count * 2);
        }
        free[count++] = cursor;
    }
}

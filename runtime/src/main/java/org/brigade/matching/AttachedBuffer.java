package org.brigade.matching;

import org.brigade.engine.Backoff;
import org.brigade.engine.Progress;

/**
 * The buffer that the user has attached for buffered sends. Only its bytes are counted: messages that wait are copied
 * to memory of their own. Under the progress lock.
 */
final class AttachedBuffer {
    private static final long NONE = -1;

    final Progress progress;
    /** Bytes of the buffer, {@link #NONE} if there is none. */
    private long attached = NONE;
    private long free;

    AttachedBuffer(Progress progress) {
        this.progress = progress;
    }

    void attach(long bytes) {
        attached = bytes;
        free = bytes;
    }

    /** Whether the buffer would be large enough if it were empty. */
    boolean mayEverTake(long bytes) {
        return bytes <= attached;
    }

    /** Takes room for a message; false if there is too little. */
    boolean takeRoom(long bytes) {
        if (bytes > free) {
            return false;
        }
        free -= bytes;
        return true;
    }

    long room() {
        return free;
    }

    void giveBack(long bytes) {
        free += bytes;
    }

    /** Waits until every buffered message has left, then forgets the buffer. */
    void detach() {
        Backoff idle = null;
        while (free < attached) {
            if (!progress.poll()) {
                idle = progress.relax(idle, "Buffer_detach", null);
            }
        }
        progress.release(idle);
        attached = NONE;
        free = 0;
    }
}

package org.brigade.transport.shm;

import java.io.File;

/**
 * Runs when the JVM ends in any way but by SIGKILL. It tells the peers, and removes the segment's name if it is still
 * there.
 */
final class ExitHook extends Thread {
    private final int rank;
    private volatile RankTable table;
    private File named;
    private Runnable first;
    private boolean ended;

    ExitHook(int rank) {
        super("brigade-exit");
        this.rank = rank;
    }

    void attached(RankTable to) {
        table = to;
    }

    /**
     * Sets the file that this process must remove at its end; null if there is none. Code that makes or renames the
     * file holds this hook's lock meanwhile.
     */
    synchronized void owns(File file) {
        named = file;
    }

    /** Sets what this process does at its end before anything else; null: nothing. It must not throw. */
    synchronized void begins(Runnable with) {
        first = with;
    }

    /** Whether the process is ending. Then no file may be made any more: it would stay. */
    synchronized boolean ended() {
        return ended;
    }

    @Override
    public void run() {
        RankTable attached = table;
        if (attached != null) {
            attached.leave(rank, RankTable.EXITED);
        }
        synchronized (this) {
            ended = true;
            if (first != null) {
                first.run();
            }
            if (named != null) {
                named.delete();
            }
        }
    }
}

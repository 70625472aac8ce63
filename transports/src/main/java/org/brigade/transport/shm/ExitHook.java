package org.brigade.transport.shm;

import java.io.File;

/**
 * Runs when the JVM ends in any way but by SIGKILL: tells the peers, and takes away the segment's name if it is still
 * there.
 */
final class ExitHook extends Thread {
    private final int rank;
    private volatile RankTable table;
    private File named;
    private boolean ended;

    ExitHook(int rank) {
        super("brigade-exit");
        this.rank = rank;
    }

    void attached(RankTable to) {
        table = to;
    }

    /**
     * The file that this process made and nobody else would remove; null once that is not so. Who makes or renames the
     * file holds this hook's lock meanwhile.
     */
    synchronized void owns(File file) {
        named = file;
    }

    /** Once the process ends, no file may be made any more: it would stay. */
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
            if (named != null) {
                named.delete();
            }
        }
    }
}

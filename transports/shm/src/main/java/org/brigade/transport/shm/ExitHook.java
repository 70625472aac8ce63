package org.brigade.transport.shm;

import java.io.File;
import org.brigade.interrupt.ProcessEnd;

/**
 * Runs when the JVM ends in any way but by SIGKILL. It tells the peers, who expect this process to be gone soon, and
 * removes the segment's name if it is still there. The program's own hooks run at the same time.
 */
final class ExitHook extends Thread {
    private final int rank;
    private volatile RankTable table;
    private File named;
    private File shared;
    private int ranks;
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

    /** Sets the file that the last of these ranks removes at its end. */
    synchronized void shares(File file, int places) {
        shared = file;
        ranks = places;
    }

    /** Removes that file if no other rank needs it. Where a rank has it mapped, Windows keeps it. */
    synchronized void unshare() {
        RankTable attached = table;
        if (shared != null && attached != null && attached.isOver(rank, ranks)) {
            shared.delete();
        }
    }

    /** The job has failed, so all ranks are about to end. */
    synchronized void jobFails() {
        if (shared != null) {
            shared.delete();
        }
    }

    /** Sets what this process does at its end before anything else; null: nothing. It must not throw. */
    synchronized void begins(Runnable with) {
        first = with;
    }

    /** Whether the process is ending. Then no file may be made any more: it would stay. */
    synchronized boolean ended() {
        return ended;
    }

    /** This rank has left, though its process goes on. */
    void abandon() {
        RankTable attached = table;
        if (attached != null) {
            attached.leave(rank, RankTable.EXITED);
        }
        clear();
    }

    @Override
    public void run() {
        ProcessEnd.begins();
        RankTable attached = table;
        if (attached != null) {
            attached.ends(rank);
        }
        clear();
    }

    private synchronized void clear() {
        ended = true;
        if (first != null) {
            first.run();
        }
        if (named != null) {
            named.delete();
        }
        unshare();
    }
}

package org.brigade.launch;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.brigade.engine.job.JobEnd;

/**
 * Finds the rank of a job that failed first. That need not be the rank whose process ends first: a rank that throws or
 * exits tells the others before its JVM has ended, and they may be faster. So ranks that end because of another rank
 * say so by their exit code ({@link JobEnd#VICTIM}), and this class looks for the rank that ends with a code of its
 * own.
 */
final class FirstFailure {
    /** How long the failed rank may take to end: its shutdown hooks run. */
    private static final long PATIENCE_NANOS = 1_000_000_000L;

    private final Process[] processes;
    private final BlockingQueue<Integer> ended;
    private int left;
    /** The first rank that exited 0; -1 if none has. */
    private int leaver = -1;
    /** How many have. */
    private int leavers;
    private int rank;
    private int code;
    private String words;

    /** @param ended ranks whose processes have ended, in that order */
    FirstFailure(Process[] processes, BlockingQueue<Integer> ended) {
        this.processes = processes;
        this.ended = ended;
        left = processes.length;
    }

    /** Waits for the next failed rank; false if all have ended and there is none. */
    boolean next() throws InterruptedException {
        while (left > 0) {
            take(ended.take());
            if (code != 0) {
                judge();
                return true;
            }
        }
        return false;
    }

    private void take(int its) {
        left--;
        rank = its;
        code = processes[its].exitValue();
        if (code == 0) {
            leaver = leavers == 0 ? its : leaver;
            leavers++;
        }
    }

    private void judge() throws InterruptedException {
        int victim = rank;
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (code == JobEnd.VICTIM || code == 0) {
            Integer other = left == 0 ? null : ended.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (other == null) {
                // No rank has failed by itself: one has left the others waiting, or they have lost each other.
                rank = leavers == 1 ? leaver : victim;
                code = JobEnd.LOST_PEER;
                words = leavers == 1 ? "exited with code 0 while others still waited for it"
                    : leavers == 0 ? "has given up" : "has given up waiting for a rank that has left";
                return;
            }
            take(other);
        }
        words = Signals.describe(code);
    }

    /** Number of ranks that were running at the last look. */
    int left() {
        return left;
    }

    /** The rank that failed. */
    int rank() {
        return rank;
    }

    /** Its exit code, never 0. */
    int code() {
        return code;
    }

    /** What happened to it: {@code exited with code 3}. */
    String words() {
        return words;
    }
}

package org.brigade.bootstrap;

import org.brigade.interrupt.Nap;

/**
 * Waiting at Init: a few quick looks, then naps that grow, until a deadline. If many ranks share a processor, their
 * naps are longer, so that all of them together look as often as a few would: the ranks that still start need the
 * processor.
 */
public final class Deadline {
    private static final int QUICK_LOOKS = 20;
    private static final long FIRST_NAP = 20_000;
    private static final long LONGEST_NAP = 1_000_000;

    private final long deadline;
    private final long longestNap;
    private int looks;
    private long nap = FIRST_NAP;

    public Deadline(long millis) {
        this(millis, 1, 0);
    }

    /**
     * @param ranks how many ranks of this machine wait at the same time
     * @param launcher the process that started them, 0 if it is not known. A rank that is bound to a core cannot tell
     * how many processors the ranks have together: those of the launcher
     */
    public Deadline(long millis, int ranks, long launcher) {
        deadline = System.nanoTime() + millis * 1_000_000;
        int processors = Runtime.getRuntime().availableProcessors();
        if (ranks >= 4 * processors && launcher != 0) {
            processors = Math.max(processors, Processors.ofProcess(launcher).count());
        }
        longestNap = longestNap(ranks, processors);
    }

    static long longestNap(int ranks, int processors) {
        return LONGEST_NAP * Math.max(1, ranks / (2 * processors));
    }

    public boolean exhausted() {
        return System.nanoTime() - deadline >= 0;
    }

    /** Whether it is time for a more expensive look. */
    public boolean slow() {
        return nap == longestNap && looks % 16 == 0;
    }

    public void pause() {
        looks++;
        if (looks < QUICK_LOOKS) {
            Thread.yield();
        } else {
            Nap.nanos(nap);
            nap = Math.min(longestNap, nap + (nap >> 2));
        }
    }
}

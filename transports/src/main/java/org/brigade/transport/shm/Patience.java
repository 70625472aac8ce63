package org.brigade.transport.shm;

import java.util.concurrent.locks.LockSupport;

/** Waiting at Init: a few quick looks, then naps that grow, until a deadline. */
public final class Patience {
    private static final int QUICK_LOOKS = 20;
    private static final long FIRST_NAP = 20_000;
    private static final long LONGEST_NAP = 1_000_000;

    private final long deadline;
    private int looks;
    private long nap = FIRST_NAP;

    public Patience(long millis) {
        deadline = System.nanoTime() + millis * 1_000_000;
    }

    public boolean exhausted() {
        return System.nanoTime() - deadline >= 0;
    }

    /** Whether this is a moment for a look that costs more. */
    public boolean slow() {
        return nap == LONGEST_NAP && looks % 16 == 0;
    }

    public void pause() {
        looks++;
        if (looks < QUICK_LOOKS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(nap);
            nap = Math.min(LONGEST_NAP, nap + (nap >> 2));
        }
    }
}

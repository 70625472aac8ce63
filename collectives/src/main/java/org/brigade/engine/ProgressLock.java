package org.brigade.engine;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import mpi.ErrorClass;

/**
 * The one lock of the library: its holder owns all links, cursors and queues of the process. Held for the length of a
 * call, but released between two looks while waiting, so any number of threads may wait at once (MPI_THREAD_MULTIPLE).
 * Uncontended it costs one compare-and-set.
 */
public final class ProgressLock {
    private static final long NOBODY = 0;

    /** The number of the thread that holds it; storing a number costs less than storing a reference. */
    private final AtomicLong owner = new AtomicLong(NOBODY);

    public void lock() {
        long me = Thread.currentThread().getId();
        if (!owner.compareAndSet(NOBODY, me)) {
            contend(me);
        }
    }

    public void unlock() {
        owner.setRelease(NOBODY);
    }

    private void contend(long me) {
        if (owner.getOpaque() == me) {
            throw ErrorClass.OTHER.in("MPI",
                "a call was made from within a user-defined operation or callback; MPI forbids that: make it after the"
                    + " reduction");
        }
        int turns = 0;
        while (!owner.compareAndSet(NOBODY, me)) {
            turns++;
            if (turns < 100) {
                Thread.onSpinWait();
            } else if (turns < 1000) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(20_000);
            }
        }
    }
}

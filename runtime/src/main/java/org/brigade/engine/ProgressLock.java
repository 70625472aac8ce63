package org.brigade.engine;

import java.util.concurrent.atomic.AtomicReference;
import mpi.ErrorClass;
import org.brigade.interrupt.Nap;

/**
 * The one lock of the library: its holder owns all links, cursors and queues of the process. Held for the length of a
 * call, but released between two looks while waiting, so any number of threads may wait at once (MPI_THREAD_MULTIPLE).
 * Uncontended it costs one compare-and-set.
 */
public final class ProgressLock {
    // Not the thread's number, which is cheaper to store: a program's own Thread class may override getId.
    private final AtomicReference<Thread> owner = new AtomicReference<>();

    /** Whether a thread has ever waited for this lock. */
    private volatile boolean contended;

    public void lock() {
        Thread me = Thread.currentThread();
        if (!owner.compareAndSet(null, me)) {
            contend(me);
        }
    }

    /** Takes the lock if it is free; another thread that holds it makes progress anyway. */
    public boolean tryLock() {
        return owner.compareAndSet(null, Thread.currentThread());
    }

    public void unlock() {
        owner.setRelease(null);
    }

    /** Whether several threads have wanted it at once: then its holder must not keep it long. */
    boolean isContended() {
        return contended;
    }

    private void contend(Thread me) {
        if (owner.getOpaque() == me) {
            throw ErrorClass.OTHER.in("MPI",
                "a call was made from within a user-defined operation or callback; MPI forbids that: make it after the"
                    + " reduction");
        }
        contended = true;
        int turns = 0;
        while (!owner.compareAndSet(null, me)) {
            turns++;
            if (turns < 100) {
                Thread.onSpinWait();
            } else if (turns < 1000) {
                Thread.yield();
            } else {
                Nap.nanos(20_000);
            }
        }
    }
}

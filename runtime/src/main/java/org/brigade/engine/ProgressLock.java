package org.brigade.engine;

import java.util.concurrent.atomic.AtomicInteger;
import mpi.ErrorClass;
import org.brigade.interrupt.Nap;

/**
 * The one lock of the library: its holder owns all links, cursors and queues of the process. Held for the length of a
 * call, but released between two looks while waiting, so any number of threads may wait at once (MPI_THREAD_MULTIPLE).
 * Uncontended it costs one compare-and-set. Every call takes it, so it is made of what an interpreter, too, does in a
 * few steps: an AtomicReference takes 3 us there, this 0.5 us.
 */
public final class ProgressLock {
    /** 1 while a thread holds the lock. */
    private final AtomicInteger held = new AtomicInteger();
    /**
     * The thread that holds the lock, for {@link #contend} alone. Only the holder writes it, and clears it before it
     * lets go: so a thread that finds itself here holds the lock. Not the thread's number, which is cheaper to store: a
     * program's own Thread class may override getId.
     */
    private Thread owner;

    /** Whether a thread has ever waited for this lock. */
    private volatile boolean contended;

    public void lock() {
        Thread me = Thread.currentThread();
        if (!held.compareAndSet(0, 1)) {
            contend(me);
        }
        owner = me;
    }

    /** Takes the lock if it is free; another thread that holds it makes progress anyway. */
    public boolean tryLock() {
        if (!held.compareAndSet(0, 1)) {
            return false;
        }
        owner = Thread.currentThread();
        return true;
    }

    public void unlock() {
        owner = null;
        held.lazySet(0);
    }

    /** Whether several threads have wanted it at once: then its holder must not keep it long. */
    boolean isContended() {
        return contended;
    }

    private void contend(Thread me) {
        if (owner == me) {
            throw ErrorClass.OTHER.in("MPI",
                "a call was made from within a user-defined operation or callback; MPI forbids that: make it after the"
                    + " reduction");
        }
        contended = true;
        int turns = 0;
        while (!held.compareAndSet(0, 1)) {
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

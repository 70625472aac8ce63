package org.brigade.engine;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.ErrorClass;
import org.brigade.interrupt.Nap;

/**
 * The one lock of the library: its holder owns all links, cursors and queues of the process. Held for the length of a
 * call, but released between two looks while waiting, so any number of threads may wait at once (MPI_THREAD_MULTIPLE).
 *
 * <p>
 * Most programs call MPI from one thread, so the lock is biased: the first thread that takes it says by a plain store
 * that it is inside, and reads whether the lock is still its own. An atomic operation there would wait until the stores
 * of the message before have reached memory. The processor may let that read pass the store. So the first other thread
 * that wants the lock ends the bias, and then stops all threads of the JVM at a safepoint: afterwards the first thread
 * has either read that the bias has ended, or has been seen inside. From then on, for good, the lock is one
 * compare-and-set. Every call takes it, so it is made of what an interpreter, too, does in a few steps.
 *
 * <pre>
 *   the first thread           another one
 *   inside = 1                 held: 0 -> 1, as for every lock from now on
 *   is it biased to me?        biased to nobody
 *     yes: it is inside        a safepoint
 *     no: inside = 0,          until inside = 0
 *         takes it as others   it is inside
 * </pre>
 */
public final class ProgressLock {
    private static final int INSIDE = 1;

    /** 1 while a thread holds the lock, or ends the bias; not while the first thread holds it by its bias. */
    private final AtomicInteger held = new AtomicInteger();
    /**
     * The thread that holds the lock, if not by its bias. Only the holder writes it, and clears it before it lets go:
     * so a thread that finds itself here holds the lock. Not the thread's number, which is cheaper to store: a
     * program's own Thread class may override getId.
     */
    private Thread owner;
    /** The first thread that has taken the lock. Written once, by a holder. */
    private Thread first;
    /** The same until another one wants the lock, then null. */
    private volatile Thread biased;
    /** {@link #INSIDE} while the first thread holds the lock by its bias. Only that thread writes it. */
    private int inside;

    /** Whether a thread has ever waited for this lock. */
    private volatile boolean contended;

    public void lock() {
        Thread me = Thread.currentThread();
        if (me != biased || !enters(me)) {
            contend(me);
        }
    }

    /** Takes the lock if it is free; another thread that holds it makes progress anyway. */
    public boolean tryLock() {
        Thread me = Thread.currentThread();
        if (me == biased) {
            return inside == 0 && (enters(me) || tryLock());
        }
        if (holds(me) || !held.compareAndSet(0, 1)) {
            return false;
        }
        endBias();
        if (isFirstInside()) {
            held.lazySet(0);
            return false;
        }
        owner = me;
        return true;
    }

    public void unlock() {
        if (owner == null) {
            VarHandle.releaseFence();
            inside = 0;
        } else {
            letGo();
        }
    }

    /** Of a thread that has it by compare-and-set. */
    private void letGo() {
        if (first == null) {
            first = owner;
            biased = owner;
        }
        owner = null;
        held.lazySet(0);
    }

    /** Whether several threads have wanted it at once: then its holder must not keep it long. */
    boolean isContended() {
        return contended;
    }

    /** Takes the lock for the thread that it is biased to; false if the bias has just ended. */
    private boolean enters(Thread me) {
        if (inside != 0) {
            throw within();
        }
        inside = INSIDE;
        VarHandle.releaseFence(); // no compiler moves the next read up; the safepoint is for the processor
        if (biased == me) {
            return true;
        }
        inside = 0;
        return false;
    }

    /** Whether this thread has the lock already. */
    private boolean holds(Thread me) {
        return owner == me || inside != 0 && first == me;
    }

    private static RuntimeException within() {
        return ErrorClass.OTHER.in("MPI",
            "a call was made from within a user-defined operation or callback; MPI forbids that: make it after the"
                + " reduction");
    }

    private void contend(Thread me) {
        if (holds(me)) {
            throw within();
        }
        int turns = 0;
        while (!held.compareAndSet(0, 1)) {
            turns = pause(turns);
        }
        endBias();
        while (isFirstInside()) {
            turns = pause(turns);
        }
        owner = me;
    }

    /** Whether the first thread is still inside by its bias, which has ended. */
    private boolean isFirstInside() {
        int seen = inside;
        VarHandle.acquireFence();
        return seen != 0;
    }

    /** Under {@link #held}. The stacks that all threads show at a safepoint are of no use here. */
    private void endBias() {
        if (biased != null) {
            biased = null;
            try {
                Thread.getAllStackTraces();
            } catch (RuntimeException | Error e) { // no memory, or a security manager: the first thread keeps its bias
                biased = first;
                held.lazySet(0);
                throw e;
            }
        }
    }

    private int pause(int turns) {
        contended = true;
        if (turns < 100) {
            Thread.onSpinWait();
        } else if (turns < 1000) {
            Thread.yield();
        } else {
            Nap.nanos(20_000);
        }
        return turns + 1;
    }
}

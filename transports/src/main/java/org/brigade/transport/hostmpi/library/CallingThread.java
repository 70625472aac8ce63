package org.brigade.transport.hostmpi.library;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The thread that began an MPI, which calls it in others' stead. MPI wants it to be ended by whoever began it, and
 * without thread support ({@code HostMpi.SINGLE}, {@code HostMpi.FUNNELED}) it is to be called by nobody else. One call
 * at a time: callers see to that.
 */
public final class CallingThread extends Thread {
    private static final int SPINS = 200;
    private static final int YIELDS = 2000;
    private static final long NAP_NANOS = 50_000;

    /** What is to be called; null when that has been done. Written last by who asks, and last by who serves. */
    private volatile Supplier<?> asked;
    private Object answer;
    private RuntimeException failure;
    private volatile boolean napping;

    public CallingThread() {
        super("brigade-mpi-calls");
        setDaemon(true);
        start();
    }

    /** Has this thread call, and waits for its answer. What it throws is thrown here. */
    <T> T call(Supplier<T> what) {
        ask(what);
        for (int looks = 0; asked != null; looks++) {
            rest(looks);
        }
        return answer();
    }

    /**
     * The same, but waits for so long only; false if the call has not returned by then. There can be no further one.
     */
    boolean call(Supplier<?> what, long millis) {
        long deadline = System.nanoTime() + millis * 1_000_000;
        ask(what);
        for (int looks = 0; asked != null; looks++) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            rest(looks);
        }
        answer();
        return true;
    }

    private void ask(Supplier<?> what) {
        asked = what;
        if (napping) {
            LockSupport.unpark(this);
        }
    }

    @SuppressWarnings("unchecked")
    private <T> T answer() {
        if (failure != null) {
            RuntimeException thrown = failure;
            failure = null;
            throw thrown;
        }
        return (T) answer;
    }

    @Override
    public void run() {
        for (int looks = 0;; looks++) {
            Supplier<?> now = asked;
            if (now != null) {
                try {
                    answer = now.get();
                } catch (RuntimeException e) {
                    failure = e;
                }
                asked = null;
                looks = 0;
            } else if (looks < SPINS + YIELDS) {
                rest(looks);
            } else {
                napping = true;
                if (asked == null) {
                    LockSupport.park(this);
                }
                napping = false;
            }
        }
    }

    private static void rest(int looks) {
        if (looks < SPINS) {
            Thread.onSpinWait();
        } else if (looks < SPINS + YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(NAP_NANOS);
        }
    }
}

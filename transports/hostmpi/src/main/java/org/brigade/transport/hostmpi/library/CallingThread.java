package org.brigade.transport.hostmpi.library;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.brigade.interrupt.Nap;

/**
 * The thread that initialized an MPI, which calls it on behalf of the others. MPI must be finalized by the thread that
 * initialized it; without thread support ({@code HostMpi.SINGLE}, {@code HostMpi.FUNNELED}) no other thread may call it
 * at all. One call at a time: callers make sure of that.
 */
public final class CallingThread extends Thread {
    private static final int SPINS = 200;
    private static final int YIELDS = 2000;
    private static final long NAP_NANOS = 50_000;

    /** The requested call; null when it is done. The asking thread writes it last, and so does this thread. */
    private volatile Supplier<?> asked;
    private Object answer;
    /** A RuntimeException or an Error. */
    private Throwable failure;
    private volatile boolean napping;

    public CallingThread() {
        super("brigade-mpi-calls");
        setDaemon(true);
        start();
    }

    /** Makes this thread call, and waits for the result. Rethrows its exceptions. */
    <T> T call(Supplier<T> what) {
        ask(what);
        for (int looks = 0; asked != null; looks++) {
            rest(looks);
        }
        return answer();
    }

    /**
     * The same, but waits for a limited time; false if the call has not returned by then. No further call is possible
     * then.
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
            Throwable thrown = failure;
            failure = null;
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown;
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
                } catch (Throwable e) {
                    failure = e; // whatever it is: the asking thread waits
                }
                asked = null;
                looks = 0;
            } else if (looks < SPINS + YIELDS) {
                rest(looks);
            } else {
                napping = true;
                if (asked == null) {
                    Thread.interrupted(); // nobody asks this thread to end; with the flag set it could not park
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
            Nap.nanos(NAP_NANOS);
        }
    }
}

package org.brigade.interrupt;

import java.util.concurrent.locks.LockSupport;

/**
 * A pause of a waiting thread. With the thread's flag set, parkNanos returns at once, and the wait would take the
 * processor that the awaited rank needs.
 */
public final class Nap {
    private Nap() {
    }

    /**
     * Pauses about so long, though the flag is set; an interrupt that comes meanwhile ends the pause. The flag is kept.
     * For threads of the program, which nobody unparks for Brigade.
     */
    public static void nanos(long nanos) {
        boolean interrupted = Thread.interrupted();
        if (interrupted) {
            LockSupport.parkNanos(1); // takes the permit that interrupt() has left, which would end the pause at once
        }
        LockSupport.parkNanos(nanos);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Pauses a thread of Brigade's about so long, or until it is unparked. An interrupt, as of its whole ThreadGroup,
     * is dropped: nothing else would ever clear the flag.
     */
    public static void ownThread(long nanos) {
        Thread.interrupted();
        LockSupport.parkNanos(nanos);
    }
}

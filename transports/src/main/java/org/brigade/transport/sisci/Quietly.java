package org.brigade.transport.sisci;

import java.util.concurrent.locks.LockSupport;
import org.brigade.nativ.SisciException;

/** Ends of things, whose failures nobody can do anything about. */
final class Quietly {
    private Quietly() {
    }

    /** Whether it worked. */
    static boolean run(Runnable end) {
        try {
            end.run();
            return true;
        } catch (SisciException failed) {
            return false;
        }
    }

    static void nap(long nanos) {
        LockSupport.parkNanos(nanos);
    }
}

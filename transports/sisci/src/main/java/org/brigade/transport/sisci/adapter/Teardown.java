package org.brigade.transport.sisci.adapter;

import org.brigade.interrupt.Nap;

/** Ends resources and ignores failures, for which there is no cure. */
public final class Teardown {
    private Teardown() {
    }

    /** Whether it worked. */
    public static boolean run(Runnable end) {
        try {
            end.run();
            return true;
        } catch (SisciException failed) {
            return false;
        }
    }

    public static void nap(long nanos) {
        Nap.nanos(nanos);
    }
}

package org.brigade.communicator;

import org.brigade.algorithm.Algorithm;

/** What ran: for benchmarks and tests that must know, not guess. */
public final class Diagnostics {
    // Written on every call by whichever thread makes it; plain, as the caller that asks is the thread that called.
    private static Algorithm last;

    private Diagnostics() {
    }

    static void ran(Algorithm algorithm) {
        if (last != algorithm) { // a collector may make each store of a reference cost a fence
            last = algorithm;
        }
    }

    /** Name of the algorithm that served this process's last collective; "none" before the first. */
    public static String lastAlgorithm() {
        return last == null ? "none" : last.name();
    }
}

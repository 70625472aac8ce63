package org.brigade.communicator.call;

import org.brigade.algorithm.Algorithm;

/** Tells benchmarks and tests which algorithm ran. */
public final class Diagnostics {
    // Every call writes it. A plain field is enough: the thread that asks is the thread that made the call.
    private static Algorithm last;

    private Diagnostics() {
    }

    public static void ran(Algorithm algorithm) {
        if (last != algorithm) { // with some collectors each store of a reference costs a fence
            last = algorithm;
        }
    }

    /** Name of the algorithm that served this process's last collective; "none" before the first. */
    public static String lastAlgorithm() {
        return last == null ? "none" : last.name();
    }
}

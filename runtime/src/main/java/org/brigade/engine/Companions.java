package org.brigade.engine;

import java.util.Arrays;

/**
 * Work of this rank that moves without messages, such as calls that run on devices: every poll of {@link Progress}
 * gives it a turn. Under the progress lock.
 */
public final class Companions {
    /** One such work. */
    public interface Companion {
        /** Moves what can move now; true if anything did. It may start collectives. */
        boolean poll();

        /** Fails what waits for lost ranks. */
        void failLost();
    }

    /** Those that have work; almost always none. */
    private Companion[] working = {};
    private boolean polling;

    boolean isEmpty() {
        return working.length == 0;
    }

    /** From now on, it gets turns. */
    public void add(Companion companion) {
        working = Arrays.copyOf(working, working.length + 1);
        working[working.length - 1] = companion;
    }

    /** It has no work at present. */
    public void remove(Companion companion) {
        Companion[] others = new Companion[working.length - 1];
        int count = 0;
        for (Companion each : working) {
            if (each != companion) {
                others[count++] = each;
            }
        }
        working = others;
    }

    /** Gives each a turn; true if anything moved. */
    public boolean poll() {
        if (working.length == 0 || polling) { // one of them has started a collective, which polls
            return false;
        }
        polling = true;
        boolean moved = false;
        try {
            for (Companion companion : working) {
                moved |= companion.poll();
            }
        } finally {
            polling = false;
        }
        return moved;
    }

    void failLost() {
        for (Companion companion : working) {
            companion.failLost();
        }
    }
}

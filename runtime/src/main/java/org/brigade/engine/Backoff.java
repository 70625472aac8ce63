package org.brigade.engine;

import org.brigade.nativ.AwaitedWord;
import org.brigade.waiting.Waiter;

/**
 * One wait, as {@link IdlePolicy} says: first spin, as the event is usually nanoseconds away; then yield; then sleep, a
 * little longer each time.
 *
 * <p>
 * The first thousands of waits for one word in shared memory pass their turns in compiled code ({@link AwaitedWord})
 * once the library is loaded, if this rank has nothing else to do. They take up to 0.1 ms, and end when the word is
 * there. So a JVM that has just started has few turns to interpret and compiles something else first.
 *
 * <p>
 * Between nodes it learns from the duration of yields. A long yield means that other threads had the processor, perhaps
 * those that are awaited: the next wait does not spin at all. A turn that took long has already been without the
 * processor (a look into the host's MPI may yield by itself), so it does not yield again.
 */
public final class Backoff {
    private static final int FEWEST_SPINS = 50;
    /** Nanoseconds that neither a yield nor a turn takes unless another thread wants the processor. */
    private static final long AWAY = 5_000;
    /** Turns that pause only once. Most waits end in these. */
    private static final int QUICK_TURNS = 64;
    /**
     * A later turn pauses once for so many turns before it. So an event is seen late by a small part of its wait; and a
     * JVM that has just started does not find the code of its waits to be the most frequent, and compile that first.
     */
    private static final int TURNS_A_PAUSE = 16;
    private static final int MOST_PAUSES = 128;
    /** A turn without pauses takes as long as so many pauses. */
    private static final int PAUSES_A_TURN = 2;
    /** Nanoseconds of a pause, about: processors take from 20 to 50. */
    private static final int PAUSE = 32;
    /** Nanoseconds of the shortest turns that look at a word, by pauses and by yields, and of the longest. */
    private static final int SHORTEST_LOOK = 5_000;
    private static final int SHORTEST_YIELDS = 40_000;
    private static final int LONGEST_LOOK = 100_000;
    /** After a turn so long a look at all else is due. */
    private static final int LONG_LOOK = 20_000;

    private final IdlePolicy waiting;
    /** Doubles with every wait: at the start of a job the peers' JVMs still need the cores. */
    private int spins;
    private int turns;
    /** When this wait began to yield; 0 before that. */
    private long since;
    private boolean isLong;
    /** When this wait was first noted; 0 if it has not been. */
    long noted;
    /** When the last yield ended, and whether a yield of this wait let others run. */
    private long yielded;
    private boolean shared;
    private final AwaitedWord word = new AwaitedWord();
    private boolean compiled;

    Backoff(IdlePolicy waiting) {
        this.waiting = waiting;
        this.spins = Math.min(waiting.spins, FEWEST_SPINS);
    }

    /** Whether it waits so. */
    boolean follows(IdlePolicy rule) {
        return waiting == rule;
    }

    /**
     * Before a turn: looks for what a wait shows.
     *
     * @param waiter null: nothing
     * @param early whether compiled code may look, and pause: later, compiled Java is as good
     */
    void watch(Waiter waiter, boolean early) {
        compiled = early && AwaitedWord.works();
        if (waiter == null || !compiled || waiting.betweenNodes) {
            word.forget();
        } else {
            waiter.show(word);
        }
    }

    /** Whether there is a word to look at. */
    boolean isWatching() {
        return word.isKnown();
    }

    /** As {@link #idle(boolean)}, where this rank may have other work. */
    public boolean idle() {
        return idle(false);
    }

    /**
     * One turn of waiting; true if it was long, so that a look at the peers' health costs nothing.
     *
     * @param watches whether this turn may last until the watched word is there, up to 0.1 ms
     */
    boolean idle(boolean watches) {
        if (turns < spins) {
            return spin(watches);
        }
        long now = System.nanoTime();
        if (since == 0) {
            since = now;
        }
        long waited = now - since;
        if (waited < waiting.awake) {
            turns++;
            if (watches) {
                word.yield(Math.max(SHORTEST_YIELDS, (int) Math.min(waited / 2, LONGEST_LOOK)));
                return true;
            }
            if (waiting.betweenNodes) {
                yieldAsNeeded(now);
            } else {
                Thread.yield();
            }
            return (turns & 31) == 0;
        }
        isLong = waited >= waiting.longAfter;
        waiting.pause(waited);
        return true;
    }

    private boolean spin(boolean watches) {
        boolean isLongLook = watches && look();
        if (!watches && turns < QUICK_TURNS) {
            turns++;
            Thread.onSpinWait();
            return false;
        }
        if (!watches) {
            int pauses = Math.min(turns / TURNS_A_PAUSE, MOST_PAUSES);
            turns += pauses / PAUSES_A_TURN;
            pause(pauses);
        }
        if (waiting.lends && (isLongLook || !watches)) {
            long now = System.nanoTime();
            if (waiting.lends(yielded, now)) {
                waiting.lend(now);
                yielded = System.nanoTime();
            }
        }
        return isLongLook;
    }

    /** Looks at the word for a part of the time that has passed. @return whether that was long */
    private boolean look() {
        int turn = PAUSE * PAUSES_A_TURN;
        int nanos = Math.max(SHORTEST_LOOK, Math.min(turns * turn / 2, LONGEST_LOOK));
        turns += nanos / turn;
        word.spin(nanos);
        return nanos >= LONG_LOOK;
    }

    private void pause(int pauses) {
        if (compiled) {
            AwaitedWord.pause(pauses * PAUSE);
            return;
        }
        for (int i = 0; i < pauses; i++) {
            Thread.onSpinWait();
        }
    }

    private void yieldAsNeeded(long now) {
        if (turns == spins + 1 || now - yielded < AWAY) { // when the first turn began is unknown
            Thread.yield();
            yielded = System.nanoTime();
            shared |= yielded - now > AWAY;
        } else {
            shared = true;
            yielded = now;
        }
    }

    /** Whether this wait spins no more. */
    boolean yields() {
        return since != 0;
    }

    /** Whether this wait is long already: it sleeps. */
    boolean isLong() {
        return isLong;
    }

    /** Something happened: the next wait spins again. A wait between nodes that has not yielded has learnt nothing. */
    public void reset() {
        if (!waiting.betweenNodes || turns > spins) {
            spins = shared ? 0 : Math.min(waiting.spins, Math.max(1, spins) * 2);
        }
        turns = 0;
        noted = 0;
        shared = false;
        since = 0;
        isLong = false;
    }
}

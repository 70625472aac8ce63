package org.brigade.engine;

/**
 * One wait, as {@link IdlePolicy} says: first spin, as the event is usually nanoseconds away; then yield; then sleep, a
 * little longer each time.
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

    Backoff(IdlePolicy waiting) {
        this.waiting = waiting;
        this.spins = Math.min(waiting.spins, FEWEST_SPINS);
    }

    /** Whether it waits so. */
    boolean follows(IdlePolicy rule) {
        return waiting == rule;
    }

    /** One turn of waiting; true if it was long, so that a look at the peers' health costs nothing. */
    public boolean idle() {
        if (turns < spins) {
            spin();
            return false;
        }
        long now = System.nanoTime();
        if (since == 0) {
            since = now;
        }
        long waited = now - since;
        if (waited < waiting.awake) {
            turns++;
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

    private void spin() {
        if (turns < QUICK_TURNS) {
            turns++;
            Thread.onSpinWait();
            return;
        }
        int pauses = Math.min(turns / TURNS_A_PAUSE, MOST_PAUSES);
        turns += pauses / PAUSES_A_TURN;
        for (int i = 0; i < pauses; i++) {
            Thread.onSpinWait();
        }
        if (waiting.lends) {
            long now = System.nanoTime();
            if (waiting.lends(yielded, now)) {
                waiting.lend(now);
                yielded = System.nanoTime();
            }
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

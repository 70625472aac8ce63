package org.brigade.engine;

import java.util.concurrent.locks.LockSupport;
import org.brigade.bootstrap.CoreShare;
import org.brigade.setting.Setting;

/**
 * How to wait: spin first, as what is waited for is usually nanoseconds away; then let others run; then sleep, a little
 * longer each time. A rank that has no core to itself ({@link CoreShare}) spins little, since the rank waited for may
 * need this core. A rank that is bound to one processor spins, but yields now and then: its JVM's compiler and
 * collector have no other.
 *
 * <p>
 * Between nodes ({@link #yielding}) it learns from what yielding does. Where that takes long others had the processor,
 * who may well be those that are waited for: the next wait does not spin at all. And a turn that took long was without
 * the processor already, as a look into the host's MPI may yield by itself: to yield again would be to wait for the
 * others twice between two looks.
 */
public final class Idle {
    private static final int FEWEST_SPINS = 50;
    private static final int MOST_SPINS = 20_000;
    /** Of a rank bound to one processor: some 20 us, of which a yield that finds nobody takes a hundredth. */
    private static final int SPINS_A_YIELD = 256;
    private static final int NEVER = -1;
    private static final int YIELDS = 200;
    /** Between nodes: what is waited for is often milliseconds away, and a sleep may last longer than that takes. */
    private static final int YIELDS_BETWEEN_NODES = 4000;
    /** Nanoseconds that neither a yield nor a turn takes where nobody else wants the processor. */
    private static final long AWAY = 5_000;
    private static final long SHORTEST_SLEEP = 20_000;
    private static final long LONGEST_SLEEP = 500_000;

    private final int mostSpins;
    /** Bits of {@link #turns} that are 0 when a spin is a yield instead. */
    private final int pace;
    private final int yields;
    private final boolean learns;
    /** Doubles with every wait: at the start of a job the peers' JVMs still need the cores. */
    private int spins;
    private int turns;
    private long sleep = SHORTEST_SLEEP;
    /** When the last yield ended, and whether one of this wait let others run. */
    private long yielded;
    private boolean shared;

    /**
     * For a process whose peers share its memory.
     *
     * @param spins as told by the user or from {@link #spins}
     */
    Idle(int spins, CoreShare cores) {
        this(spins, cores.isSingle() ? SPINS_A_YIELD - 1 : NEVER, YIELDS, false);
    }

    private Idle(int spins, int pace, int yields, boolean learns) {
        this.mostSpins = spins;
        this.pace = pace;
        this.yields = yields;
        this.learns = learns;
        this.spins = Math.min(spins, FEWEST_SPINS);
    }

    /**
     * For a process whose messages the kernel moves: it lets others run after a few looks. The kernel's network threads
     * are among them, and where they wait for a processor that is spun on, a message takes a tick of the clock, 4 ms,
     * in place of microseconds.
     *
     * @param spins as told by the user or from {@link #spins}
     */
    static Idle yielding(int spins) {
        return new Idle(Math.min(spins, FEWEST_SPINS), NEVER, YIELDS_BETWEEN_NODES, true);
    }

    /** How often a wait spins before it lets others run. */
    static int spins(CoreShare cores) {
        return (int) Setting.number("spins", cores.hasOwn() ? MOST_SPINS : FEWEST_SPINS);
    }

    /** One turn of waiting; true if it was a long one, after which a look at the peers' health costs nothing. */
    public boolean idle() {
        if (turns < spins) {
            if ((++turns & pace) == 0) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
            return false;
        }
        if (turns < spins + yields) {
            turns++;
            if (learns) {
                yieldAsNeeded();
            } else {
                Thread.yield();
            }
            return (turns & 31) == 0;
        }
        LockSupport.parkNanos(sleep);
        sleep = Math.min(sleep * 2, LONGEST_SLEEP);
        return true;
    }

    private void yieldAsNeeded() {
        long now = System.nanoTime();
        if (now - yielded < AWAY) {
            Thread.yield();
            yielded = System.nanoTime();
            shared |= yielded - now > AWAY;
        } else {
            shared |= turns > spins + 1; // the first turn of a wait began who knows when
            yielded = now;
        }
    }

    /** Whether this wait has become a long one. */
    boolean isLong() {
        return turns >= spins + yields;
    }

    /** Something happened: the next wait spins again. */
    public void reset() {
        turns = 0;
        spins = shared ? 0 : Math.min(mostSpins, Math.max(1, spins) * 2);
        shared = false;
        sleep = SHORTEST_SLEEP;
    }
}

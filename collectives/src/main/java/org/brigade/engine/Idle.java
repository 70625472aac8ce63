package org.brigade.engine;

import java.util.concurrent.locks.LockSupport;
import org.brigade.bootstrap.CoreShare;
import org.brigade.setting.Setting;

/**
 * How to wait: first spin, as the event is usually nanoseconds away; then yield; then sleep, a little longer each time.
 * A rank without a core of its own ({@link CoreShare}) spins little, since the awaited rank may need this core. A rank
 * that is bound to one processor spins but yields now and then: its JVM's compiler and collector have no other
 * processor.
 *
 * <p>
 * Between nodes ({@link #yielding}) it learns from the duration of yields. A long yield means that other threads had
 * the processor, perhaps those that are awaited: the next wait does not spin at all. A turn that took long has already
 * been without the processor (a look into the host's MPI may yield by itself), so it does not yield again.
 */
public final class Idle {
    private static final int FEWEST_SPINS = 50;
    private static final int MOST_SPINS = 20_000;
    /** For a rank bound to one processor: about 20 us of spinning; an idle yield takes a hundredth of that. */
    private static final int SPINS_A_YIELD = 256;
    private static final int NEVER = -1;
    private static final int YIELDS = 200;
    /** Between nodes: a message is often milliseconds away, and a sleep may last longer. */
    private static final int YIELDS_BETWEEN_NODES = 4000;
    /** Nanoseconds that neither a yield nor a turn takes unless another thread wants the processor. */
    private static final long AWAY = 5_000;
    private static final long SHORTEST_SLEEP = 20_000;
    private static final long LONGEST_SLEEP = 500_000;

    private final int mostSpins;
    /** Mask for {@link #turns}: a spin becomes a yield when these bits are 0. */
    private final int pace;
    private final int yields;
    private final boolean learns;
    /** Doubles with every wait: at the start of a job the peers' JVMs still need the cores. */
    private int spins;
    private int turns;
    private long sleep = SHORTEST_SLEEP;
    /** When this wait was first noted; 0 if it has not been. */
    long noted;
    /** When the last yield ended, and whether a yield of this wait let others run. */
    private long yielded;
    private boolean shared;

    /**
     * For a process whose peers share its memory.
     *
     * @param spins from the user or from {@link #spins}
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
     * For a process whose messages the kernel moves: it yields after a few looks. If the kernel's network threads must
     * wait for a spinning processor, a message takes a clock tick, 4 ms, instead of microseconds.
     *
     * @param spins from the user or from {@link #spins}
     */
    static Idle yielding(int spins) {
        return new Idle(Math.min(spins, FEWEST_SPINS), NEVER, YIELDS_BETWEEN_NODES, true);
    }

    /** How often a wait spins before it yields. */
    static int spins(CoreShare cores) {
        return (int) Setting.number("spins", cores.hasOwn() ? MOST_SPINS : FEWEST_SPINS);
    }

    /** One turn of waiting; true if it was long, so that a look at the peers' health costs nothing. */
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
            shared |= turns > spins + 1; // the first turn's start time is unknown
            yielded = now;
        }
    }

    /** Whether this wait is long already. */
    boolean isLong() {
        return turns >= spins + yields;
    }

    /** Something happened: the next wait spins again. */
    public void reset() {
        turns = 0;
        noted = 0;
        spins = shared ? 0 : Math.min(mostSpins, Math.max(1, spins) * 2);
        shared = false;
        sleep = SHORTEST_SLEEP;
    }
}

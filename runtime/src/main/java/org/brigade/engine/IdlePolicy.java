package org.brigade.engine;

import org.brigade.bootstrap.CoreShare;
import org.brigade.setting.Setting;

/**
 * How a rank waits, by the processors that it has ({@link CoreShare}) and by {@code brigade.spins}. A rank with a
 * processor of its own spins. If its JVM's compiler and collector have no other processor, it yields now and then. A
 * rank that shares its processor with other ranks yields at once, since the awaited rank may need this processor.
 */
public final class IdlePolicy {
    private static final int MOST_SPINS = 20_000;
    private static final int SPINS_BETWEEN_NODES = 50;
    private static final int YIELDS = 200;
    /** A turn has one look here, so it is shorter. */
    private static final int YIELDS_IF_SHARED = 1000;
    /** Between nodes a message is often milliseconds away, and a sleep may last longer. */
    private static final int YIELDS_BETWEEN_NODES = 4000;
    /** A rank that spins little also looks only a few times at one link, which code for small messages does first. */
    private static final int LOOKS_PART = 8;
    /** If the kernel's network moves the messages, a look is a call. */
    private static final int LOOKS_BETWEEN_NODES = 4;
    /**
     * For a rank that spins: nanoseconds without a yield. Much less than the milliseconds for which a compiler then has
     * the processor, and more than most waits take: a wait that yields may miss its peer.
     */
    private static final long LENT_EVERY = 100_000;
    /** Nanoseconds of tests in vain between two yields. A few tests take as long: a program may test many requests. */
    private static final long TESTS_IF_SHARED = 1_000;
    private static final long TESTS_BETWEEN_NODES = 5_000;
    private static final long TESTS_IF_SPARE = 1_000_000;
    /** Tests in vain, one after the other, before any yields. Most waits by tests end in these. */
    private static final int QUICK_TESTS = 64;

    final CoreShare cores;
    /** Turns of a wait before it yields. */
    final int spins;
    /** Turns that yield, before it sleeps. */
    final int yields;
    /** Whether a turn among these yields now and then. */
    final boolean lends;
    /** For a program that tests and probes in vain: nanoseconds until it yields, and between its yields. */
    final long tests;
    /** As many such tests in a row come first. */
    final int quickTests;
    /** Whether that time is so short that every further test looks at the clock. */
    final boolean looksAtClock;
    /** Whether the kernel's network moves some of the messages. */
    final boolean betweenNodes;
    /** Where a rank with a processor of its own belongs; null if that is not known. */
    final HomeProcessor home;
    private final int looks;

    /** @param home the processor of this rank, whose first thread calls this; -1 if it has none */
    IdlePolicy(CoreShare cores, boolean betweenNodes, int home) {
        this(cores, betweenNodes, (int) Setting.number("spins", cores == CoreShare.SHARED ? 0 : MOST_SPINS),
            HomeProcessor.of(home));
    }

    IdlePolicy(CoreShare cores, boolean betweenNodes, int spins, HomeProcessor home) {
        this.cores = cores;
        this.home = home;
        this.betweenNodes = betweenNodes;
        // If the kernel's network threads must wait for a spinning processor, a message takes 4 ms, a clock tick.
        this.spins = betweenNodes ? Math.min(spins, SPINS_BETWEEN_NODES) : spins;
        this.yields = betweenNodes ? YIELDS_BETWEEN_NODES : cores == CoreShare.SHARED ? YIELDS_IF_SHARED : YIELDS;
        this.lends = cores == CoreShare.OWN && !betweenNodes;
        this.tests = this.spins == 0 ? TESTS_IF_SHARED : betweenNodes ? TESTS_BETWEEN_NODES
            : lends ? LENT_EVERY : TESTS_IF_SPARE;
        this.quickTests = Math.min(this.spins, QUICK_TESTS);
        this.looksAtClock = tests < LENT_EVERY;
        this.looks = betweenNodes ? LOOKS_BETWEEN_NODES : Math.max(1, spins / LOOKS_PART);
    }

    /** How many looks at one link, of at most this many, come before everything else gets a turn. */
    int looks(int most) {
        return Math.min(most, looks);
    }

    /** Whether a rank that spins, and has been in its wait since then, should lend its processor now. */
    boolean lends(long since, long now) {
        return lends && now - since > LENT_EVERY;
    }

    /** Lets others have the processor, if any wants it. */
    void lend(long now) {
        if (home != null) {
            home.seek(now);
        }
        Thread.yield();
    }

    /** For people: {@code a processor that other ranks use too: yields at once}. */
    @Override
    public String toString() {
        return cores + ": " + (spins == 0 ? "yields at once" : "spins, " + spins + " looks at most")
            + (betweenNodes ? ", as the kernel needs the processor for messages between nodes"
                : lends ? ", and yields now and then" : "");
    }
}

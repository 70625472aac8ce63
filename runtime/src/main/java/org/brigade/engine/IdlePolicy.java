package org.brigade.engine;

import org.brigade.bootstrap.CoreShare;
import org.brigade.interrupt.Nap;
import org.brigade.setting.Setting;
import org.brigade.transport.Endpoint;
import org.brigade.waiting.HomeProcessor;

/**
 * How a rank waits, by the processors that it has ({@link CoreShare}) and by {@code brigade.spins}.
 *
 * <ul>
 * <li><b>Spin</b>, if the rank has a processor of its own. If its JVM's compiler and collector have no other, it yields
 * now and then. A rank that shares its processor with other ranks yields at once, since the awaited rank may need this
 * processor.
 * <li><b>Yield</b> until the wait has lasted for milliseconds. It is short in any case, and a rank that sleeps is late:
 * the kernel wakes it after 50 us at best, perhaps on another rank's processor, and then the others wait so long that
 * they sleep, too.
 * <li><b>Sleep</b>, a part of the time waited so far: what a sleep adds to a wait stays a small part of it, and so does
 * what it adds to the others' waits. A rank whose processor is shared sleeps sooner: beside programs that only compute,
 * each yield costs a rank a slice of theirs, and who sleeps gets the processor when it wakes.
 * </ul>
 *
 * <p>
 * Tried, allreduces of 8 bytes from the first on. 30 ranks on 32 processors, sleeps after 200 yields and after 5 ms:
 * 1.41 and 1.43 s, 2,100 and 600 slices of the processor each. 1,000 calls on 2 processors, sleeps after 0.2, 1 and 5
 * ms of yields: 4 ranks 306, 292 and 242 ms, 16 ranks 1.4, 1.5 and 1.3 s; beside a computing program on each processor
 * 2.9, 2.8 and 3.4 s, and 5.2, 5.1 and 5.0 s. A rank that computes while 1, 3 or 15 others wait on its processors took
 * the same time with all three.
 */
public final class IdlePolicy {
    private static final int MOST_SPINS = 20_000;
    private static final int SPINS_BETWEEN_NODES = 50;
    /** Nanoseconds of yields before a wait sleeps. */
    private static final long AWAKE = 5_000_000;
    private static final long AWAKE_IF_SHARED = 1_000_000;
    /** A sleep prolongs a wait by such a part. */
    private static final int PART_ASLEEP = 16;
    private static final long LONGEST_SLEEP = 500_000;
    /**
     * The same for a rank that wakes by itself, as it is alone on its node. Messages within a node end no sleep: with
     * this time for all ranks, an allreduce of 8 bytes among 4 hosts of 2 ranks on 2 processors took 1.6 times as long.
     */
    private static final long AWAKE_IF_WOKEN = 20_000;
    private static final long SHORTEST_IF_WOKEN = 50_000;
    private static final long LONGEST_IF_ALONE = 20_000_000;
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
    /** Nanoseconds of yields before it sleeps. */
    final long awake;
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
    /** Where a sleep ends when a message comes; null if it just ends. */
    private final Endpoint sleepsIn;
    /** Whether only messages that end a sleep can come. */
    private final boolean alone;
    /** Nanoseconds after which a wait is long. */
    final long longAfter;

    /** Whether another rank may use this rank's processor. */
    public boolean sharesProcessor() {
        return cores == CoreShare.SHARED;
    }

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
        this.awake = cores == CoreShare.SHARED && !betweenNodes ? AWAKE_IF_SHARED : AWAKE;
        this.lends = cores == CoreShare.OWN && !betweenNodes;
        this.tests = this.spins == 0 ? TESTS_IF_SHARED : betweenNodes ? TESTS_BETWEEN_NODES
            : lends ? LENT_EVERY : TESTS_IF_SPARE;
        this.quickTests = Math.min(this.spins, QUICK_TESTS);
        this.looksAtClock = tests < LENT_EVERY;
        this.looks = betweenNodes ? LOOKS_BETWEEN_NODES : Math.max(1, spins / LOOKS_PART);
        this.sleepsIn = null;
        this.alone = false;
        this.longAfter = awake;
    }

    private IdlePolicy(IdlePolicy like, Endpoint sleepsIn) {
        this.cores = like.cores;
        this.home = like.home;
        this.betweenNodes = like.betweenNodes;
        this.spins = like.spins;
        this.lends = like.lends;
        this.tests = like.tests;
        this.quickTests = like.quickTests;
        this.looksAtClock = like.looksAtClock;
        this.looks = like.looks;
        this.longAfter = like.longAfter;
        this.sleepsIn = sleepsIn;
        this.alone = sleepsIn.nodes().here().length == 1;
        this.awake = spins == 0 && alone ? AWAKE_IF_WOKEN : like.awake;
    }

    /**
     * The same with sleeps that messages from other nodes end. A rank that may not spin, and is alone, then sleeps
     * almost at once.
     */
    IdlePolicy asleepIn(Endpoint endpoint) {
        return new IdlePolicy(this, endpoint);
    }

    /** How many looks at one link, of at most this many, come before everything else gets a turn. */
    int looks(int most) {
        return Math.min(most, looks);
    }

    /** How long a wait sleeps that has lasted so long, in nanoseconds. */
    static long sleep(long waited) {
        return Math.min(waited / PART_ASLEEP, LONGEST_SLEEP);
    }

    /** Sleeps in a wait that has lasted so long. */
    void pause(long waited) {
        if (sleepsIn == null) {
            Nap.nanos(sleep(waited));
        } else {
            long most = alone ? LONGEST_IF_ALONE : LONGEST_SLEEP;
            sleepsIn.sleep(Math.max(SHORTEST_IF_WOKEN, Math.min(waited / PART_ASLEEP, most)));
        }
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

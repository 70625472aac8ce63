package org.brigade.engine;

import java.util.Arrays;
import org.brigade.bootstrap.CoreShare;
import org.brigade.nativ.AwaitedWord;
import org.brigade.transport.Endpoint;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.Wait;
import org.brigade.waiting.WaitBoard;
import org.brigade.waiting.WaitRecord;
import org.brigade.waiting.Waiter;

/**
 * How this rank's threads pass the time while nothing moves: by the processors that it has ({@link IdlePolicy}), and
 * noted where other processes see long waits. Under the progress lock, which a turn releases.
 */
final class WaitTurns {
    /** How many tests that find nothing there are for each look at the peers' health. */
    private static final int TESTS_A_LOOK = 32;

    private final Endpoint endpoint;
    private final ProgressLock lock;
    private final FlightRecorder recorder;
    /** Replaced by {@link #besides}. */
    private IdlePolicy waiting;
    private Backoff[] idles = new Backoff[4];
    private int freeIdles;
    private long waits;
    /** The wait that is noted for other processes, and what it is; null before the first. */
    private Backoff noted;
    private Wait wait;
    /** Where they see it; null if nobody can, and before the first. */
    private WaitRecord record;
    /** The same while this process is in several jobs; else null. */
    private volatile WaitBoard joined;
    private int vainTests;
    /** Tests in vain since something has moved. */
    private int vainRow;
    /** When a test in vain has last given the processor away. */
    private long vainSince = System.nanoTime();
    private long lent;
    /** The other engines of this process: those by which it is joined to other jobs. */
    private volatile Progress[] beside = {};

    WaitTurns(Endpoint endpoint, ProgressLock lock, FlightRecorder recorder, CoreShare cores) {
        this.endpoint = endpoint;
        this.lock = lock;
        this.recorder = recorder;
        waiting = new IdlePolicy(cores, endpoint.yields(), cores == CoreShare.OWN ? endpoint.homeProcessor() : -1);
        if (endpoint.wakes()) {
            waiting = waiting.asleepIn(endpoint);
        }
    }

    IdlePolicy waiting() {
        return waiting;
    }

    /** From now on, a wait gives these engines turns, too. */
    void besides(Progress[] others, CoreShare cores) {
        if (cores != waiting.cores) {
            waiting = new IdlePolicy(cores, endpoint.yields(), -1); // several jobs have homes on the same processors
        }
        beside = others;
    }

    /** Whether this JVM probably still interprets its waits. */
    boolean areFirst() {
        return waits <= AwaitedWord.FIRST_WAITS;
    }

    /** Whether nothing moves meanwhile but this engine's own: no other engine, no network. */
    boolean isAlone() {
        return !waiting.betweenNodes && beside.length == 0;
    }

    /** From now on, long waits are noted there; null: where the endpoint says. */
    void showWaits(WaitBoard board) {
        joined = board;
    }

    /** What {@link #pass} takes: in the first turn of a wait, null becomes one that is not in use. */
    Backoff current(Backoff idle) {
        if (idle != null) {
            return idle;
        }
        waits++;
        Backoff free = freeIdles > 0 ? idles[--freeIdles] : new Backoff(waiting);
        return free.follows(waiting) ? free : new Backoff(waiting);
    }

    /**
     * Releases the lock, waits a little, takes it again.
     *
     * @param quiet whether this engine has nothing else to do until the awaited word is there
     * @return whether that was long
     */
    boolean pass(Backoff idle, boolean quiet) {
        recorder.show();
        lock.unlock();
        try {
            Progress[] others = beside;
            return (others.length == 0 || !anyMoved(others)) && idle.idle(quiet);
        } finally {
            lock.lock();
        }
    }

    /** Gives the other engines of a process a turn, as peers may wait for what they do. Without this engine's lock. */
    private static boolean anyMoved(Progress[] others) {
        boolean moved = false;
        for (Progress other : others) {
            if (other.lock.tryLock()) {
                try {
                    moved |= other.poll();
                } finally {
                    other.lock.unlock();
                }
            }
        }
        return moved;
    }

    /** Ends a wait: takes back what {@link #current} returned. Null is fine. */
    void release(Backoff idle) {
        if (idle != null && idle.follows(waiting)) {
            idle.reset();
            if (freeIdles == idles.length) {
                idles = Arrays.copyOf(idles, freeIdles * 2);
            }
            idles[freeIdles++] = idle;
        }
    }

    // ---- tests that find nothing ----

    /** Something has moved. */
    void moved() {
        vainRow = 0;
    }

    /** Counts a test that has found nothing. @return whether to look at the peers' health */
    boolean isLookDue() {
        return ++vainTests % TESTS_A_LOOK == 0;
    }

    /** Leaves the processor to the ranks that a program waits for which only tests. @param looked at the peers */
    void lendIfDue(boolean looked) {
        IdlePolicy rule = waiting;
        if (++vainRow <= rule.quickTests || !looked && !rule.looksAtClock) {
            return;
        }
        long now = System.nanoTime();
        if (now - vainSince <= rule.tests) {
            return;
        }
        lock.unlock();
        try {
            rule.lend(now);
        } finally {
            lock.lock();
            lent++;
            vainSince = System.nanoTime();
        }
    }

    long timesLent() {
        return lent;
    }

    // ---- noting long waits ----

    /**
     * Notes a long wait for other processes. @param waiter what waits; null: the only running cursor, if there is one
     */
    void note(Backoff idle, String call, Membership membership, Waiter waiter, RunningCursors cursors, long now) {
        recorder.tick(now);
        if (wait == null) {
            wait = new Wait();
            record = endpoint.waitRecord();
        }
        WaitBoard several = joined;
        WaitBoard board = several == null ? record : several;
        if (board == null) {
            return;
        }
        if (idle.noted != 0 && idle == noted) {
            board.seen(now);
            return;
        }
        wait.begin(call);
        if (membership != null) {
            wait.on(membership.name());
        }
        if (waiter != null) {
            waiter.describe(wait);
        } else {
            cursors.describe(wait);
        }
        if (idle.noted == 0) {
            idle.noted = now;
        }
        noted = idle;
        board.write(wait, idle.noted, now);
    }
}

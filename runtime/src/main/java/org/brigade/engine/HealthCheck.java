package org.brigade.engine;

import org.brigade.engine.job.JobEnd;
import org.brigade.transport.Endpoint;
import org.brigade.waiting.Wait;
import org.brigade.waiting.Waiter;

/** Looks now and then, in a wait, at what could make it a wait for ever. Under the progress lock. */
final class HealthCheck {
    private static final long INTERVAL = 20_000_000;

    private final Progress progress;
    private final Endpoint endpoint;
    private final Losses losses;
    private final WaitTurns turns;
    private final RunningCursors cursors;
    private final FailedCalls failed;
    private long next;

    HealthCheck(Progress progress, Losses losses, WaitTurns turns, RunningCursors cursors, FailedCalls failed) {
        this.progress = progress;
        this.endpoint = progress.endpoint;
        this.losses = losses;
        this.turns = turns;
        this.cursors = cursors;
        this.failed = failed;
    }

    /**
     * Looks whether the peers are alive, and whether what waits has failed elsewhere or waits in vain; not more often
     * than every 20 ms.
     *
     * @param idle the wait, to be noted for other processes; null for a test
     * @param waiter what waits; null if it cannot describe its wait
     * @throws mpi.MPIException if a member is lost, and the party's errors return
     */
    void check(Backoff idle, String call, Membership membership, Waiter waiter) {
        long now = System.nanoTime();
        if (now - next < 0) {
            return;
        }
        next = now + INTERVAL;
        if (idle != null) {
            turns.note(idle, call, membership, waiter, cursors, now);
        }
        String lost = endpoint.lostPeer();
        if (lost != null) {
            String over = losses.isTolerant() ? endpoint.over() : endpoint.died();
            if (over != null) {
                JobEnd.because(endpoint, JobEnd.WAITING + call, over);
            }
            losses.noticed();
            progress.failLost();
            boolean any = membership != null && (losses.failsAsAWhole(membership) || !looksItself(waiter));
            String lostHere = any ? membership.lostMember(endpoint) : null;
            if (lostHere != null) {
                throw losses.lost(call, membership, lostHere);
            }
        }
        if (!failed.isEmpty()) {
            cursors.failTold(failed);
        }
        cursors.failRevoked(); // those that were prepared earlier, and started since
        cursors.failStarved(call);
    }

    /** Whether a wait knows for which rank it waits, and finds out whether that rank has left. */
    private static boolean looksItself(Waiter waiter) {
        Wait its = new Wait();
        if (waiter != null) {
            waiter.describe(its.begin(""));
        }
        return its.peers() > 0 || its.isForMessage();
    }
}

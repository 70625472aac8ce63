package org.brigade.engine;

import java.util.Arrays;
import mpi.MPIException;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.brigade.waiting.Wait;

/** The schedules that run on this rank, and what ends them before their last step. Under the progress lock. */
final class RunningCursors {
    private final Progress progress;
    private final Endpoint endpoint;
    private final Losses losses;
    private Cursor[] cursors = new Cursor[8];
    private int running;

    RunningCursors(Progress progress, Losses losses) {
        this.progress = progress;
        this.losses = losses;
        endpoint = progress.endpoint;
    }

    boolean isEmpty() {
        return running == 0;
    }

    /** Adds a cursor to those that every wait advances. */
    void start(Cursor cursor) {
        if (running == cursors.length) {
            cursors = Arrays.copyOf(cursors, running * 2);
        }
        cursors[running++] = cursor;
    }

    private void retire(int index) {
        Cursor cursor = cursors[index];
        cursors[index] = cursors[--running];
        cursors[running] = null;
        Cursor.Sequel sequel = cursor.takeSequel();
        if (sequel != null) {
            sequel.ended(cursor);
        }
    }

    private void fail(int index, RuntimeException why) {
        cursors[index].fail(why);
        retire(index);
    }

    /** Moves each as far as it can; true if anything moved. */
    boolean advance() {
        boolean moved = false;
        for (int i = 0; i < running;) {
            Cursor cursor = cursors[i];
            moved |= cursor.advance();
            if (cursor.finished()) {
                retire(i);
            } else {
                i++;
            }
        }
        return moved;
    }

    /** Sets aside messages at the heads of links that are in a cursor's way. */
    boolean clearTheWay() {
        boolean moved = false;
        for (int i = 0; i < running; i++) {
            Cursor cursor = cursors[i];
            for (int lane = 0; lane < cursor.lanes(); lane++) {
                int peer = cursor.blockedBy(lane);
                if (peer >= 0) {
                    moved |= progress.clear(peer);
                }
            }
        }
        return moved;
    }

    boolean isRunning(long key) {
        for (int i = 0; i < running; i++) {
            if (cursors[i].has(key)) {
                return true;
            }
        }
        return false;
    }

    /** Describes the wait for a nonblocking collective, if it is the only one. */
    void describe(Wait wait) {
        if (running == 1) {
            cursors[0].describe(wait);
        }
    }

    // ---- what ends them early ----

    /** Ends those whose calls have failed on other ranks. */
    void failTold(FailedCalls elsewhere) {
        for (int i = running - 1; i >= 0; i--) {
            MPIException error = cursors[i].failedElsewhere(elsewhere);
            if (error != null) {
                fail(i, error);
            }
        }
    }

    void failRevoked() {
        for (int i = running - 1; i >= 0; i--) {
            Cursor cursor = cursors[i];
            if (cursor.membership.isRevoked()) {
                fail(i, cursor.membership.revoked(cursor.call()));
            }
        }
    }

    /** Ends those whose members are lost. */
    void failLost() {
        for (int i = running - 1; i >= 0; i--) {
            Cursor cursor = cursors[i];
            String lost = losses.failsAsAWhole(cursor.membership) ? cursor.membership.lostMember(endpoint) : null;
            if (lost != null) {
                fail(i, losses.lost(cursor.call(), cursor.membership, lost));
            }
        }
    }

    /**
     * Ends those that wait for what never comes: from a rank in Finalize, from a rank that runs another algorithm, or
     * for room on the link to a rank that is gone.
     *
     * @param call what this rank waits in, for errors
     */
    void failStarved(String call) {
        for (int i = running - 1; i >= 0; i--) {
            Cursor cursor = cursors[i];
            int peer = cursor.starvedBy();
            int stranger = cursor.contradictedBy();
            stranger = stranger >= 0 ? stranger : strangerTo(cursor);
            int deaf = losses.isSomeoneLost() ? cursor.sendsInVain() : -1;
            if (peer >= 0 && !Losses.somethingCame(progress.link(peer))) {
                fail(i, losses.neverComes(call, cursor.membership, peer));
            } else if (stranger >= 0) {
                cursor.failBecauseOf(stranger);
                retire(i);
            } else if (deaf >= 0) {
                fail(i, losses.neverComes(call, cursor.membership, deaf));
            }
        }
    }

    /**
     * A rank of the job that has sent data for a call in which it has nothing to send to this rank, so that the two run
     * different algorithms; -1 if there is none.
     */
    private int strangerTo(Cursor cursor) {
        for (int i = 0, met = endpoint.met(); i < met; i++) {
            int peer = endpoint.met(i);
            Link link = progress.link(peer);
            boolean came = link.poll() && cursor.has(link.key()) && (link.kind() == Progress.COLLECTIVE
                || (link.kind() & ~Progress.FORMS) == Progress.COLLECTIVE && link.bytes() > 0);
            if (came && !cursor.hears(peer)) {
                return peer;
            }
        }
        return -1;
    }
}

package org.brigade.window;

import java.util.function.BooleanSupplier;
import mpi.MPIException;
import org.brigade.engine.Idle;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.waiting.Waiter;

/** How a window's calls wait: they make progress for everybody, and end if a member is lost. */
final class WindowWait {
    /** A key that no collective has. */
    private static final long NO_KEY = -1;

    /** Waits until every target has answered. */
    @FunctionalInterface
    interface Drain {
        /** @return the error of an access; null if there is none */
        MPIException all(String call);
    }

    private final Progress progress;
    private final Membership party;

    WindowWait(Progress progress, Membership party) {
        this.progress = progress;
        this.party = party;
    }

    /** @param peer the one rank that can end the wait; -1 if it is not known */
    void until(String call, int peer, BooleanSupplier done) {
        until(call, peer, done, null);
    }

    /** @param waiter what waits; null if it cannot describe its wait */
    void until(String call, int peer, BooleanSupplier done, Waiter waiter) {
        Idle idle = null;
        while (!done.getAsBoolean()) {
            int world = peer < 0 ? -1 : party.members[peer];
            if (idle != null && world >= 0 && peer != party.rank && progress.losses.isGone(world)
                && !done.getAsBoolean()) {
                throw progress.losses.neverComes(call, party, world);
            }
            idle = progress.turn(idle, call, NO_KEY, party, waiter);
        }
        progress.release(idle);
    }
}

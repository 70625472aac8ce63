package org.brigade.window;

import java.util.function.BooleanSupplier;
import mpi.MPIException;
import org.brigade.engine.Backoff;
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
    private final Membership membership;

    WindowWait(Progress progress, Membership membership) {
        this.progress = progress;
        this.membership = membership;
    }

    /** @param peer the one rank that can end the wait; -1 if it is not known */
    void until(String call, int peer, BooleanSupplier done) {
        until(call, peer, done, null);
    }

    /** @param waiter what waits; null if it cannot describe its wait */
    void until(String call, int peer, BooleanSupplier done, Waiter waiter) {
        Backoff idle = null;
        while (!done.getAsBoolean()) {
            int world = peer < 0 ? -1 : membership.members[peer];
            if (idle != null && world >= 0 && peer != membership.rank && progress.losses.isGone(world)
                && !done.getAsBoolean()) {
                throw progress.losses.neverComes(call, membership, world);
            }
            idle = progress.turn(idle, call, NO_KEY, membership, waiter);
        }
        progress.release(idle);
    }
}

package org.brigade.window;

import mpi.MPIException;
import mpi.spi.window.Access;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import org.brigade.memory.Region;

/** An access to a target that this process cannot reach by address: messages, each answered by the target. */
final class MessageAccess implements Operation {
    private final RankWindow window;
    final Access access;
    final Region origin;
    final Region result;
    /** Messages that have not been answered. */
    int open;
    /** Why some of it could not be done; null if nothing is known of that. */
    MPIException failure;

    MessageAccess(RankWindow window, Access access) {
        this.window = window;
        this.access = access;
        origin = new Region().wrap(access.origin, 0);
        result = new Region().wrap(access.result, 0);
    }

    /** The error of memory that was not in the window. Only a dynamic window's target knows that. */
    MPIException outside() {
        return window.outside(access);
    }

    /** The error of memory that the target could not access. */
    MPIException lost(String why) {
        return window.epochs.lost(access.call, access.target, why);
    }

    /** The error of a buffer of this rank. */
    MPIException uncopied(MPIException cause) {
        return window.epochs.uncopied(access.call, access.target, cause);
    }

    @Override
    public boolean test() {
        return window.test(this);
    }

    @Override
    public void await() {
        window.await(this);
    }

    @Override
    public void cancel() {
        // The target may have acted already.
    }

    @Override
    public void describe(Envelope envelope) {
        envelope.fill(-1, -1, 0, false);
    }
}

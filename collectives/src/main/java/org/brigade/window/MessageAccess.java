package org.brigade.window;

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
    /** Some memory was not in the window. Only a dynamic window's target knows that. */
    boolean outside;
    /** Why the target could not do it, as a phrase; null if it could. */
    String lost;

    MessageAccess(RankWindow window, Access access) {
        this.window = window;
        this.access = access;
        origin = new Region().wrap(access.origin, 0);
        result = new Region().wrap(access.result, 0);
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

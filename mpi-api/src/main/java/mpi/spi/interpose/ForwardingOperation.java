package mpi.spi.interpose;

import mpi.spi.Envelope;
import mpi.spi.Operation;

/**
 * An operation that does what another one does: override what a tool wants to see of it. A waiting program may call
 * {@link #test} very often.
 */
public class ForwardingOperation implements Operation {
    private final Operation below;

    public ForwardingOperation(Operation below) {
        this.below = below;
    }

    @Override
    public boolean test() {
        return below.test();
    }

    @Override
    public void await() {
        below.await();
    }

    @Override
    public void cancel() {
        below.cancel();
    }

    @Override
    public void describe(Envelope envelope) {
        below.describe(envelope);
    }
}

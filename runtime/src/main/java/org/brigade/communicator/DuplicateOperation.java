package org.brigade.communicator;

import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.Operation;

/** A nonblocking duplication under way: rank 0 is broadcasting the new communicator's context. */
final class DuplicateOperation implements Operation {
    private final IntraCommunicator original;
    private final Operation bcast;
    private final long[] context;
    private final Communicator[] result;

    DuplicateOperation(IntraCommunicator original, Operation bcast, long[] context, Communicator[] result) {
        this.original = original;
        this.bcast = bcast;
        this.context = context;
        this.result = result;
    }

    @Override
    public boolean test() {
        if (!bcast.test()) {
            return false;
        }
        make();
        return true;
    }

    @Override
    public void await() {
        bcast.await();
        make();
    }

    private synchronized void make() {
        if (result[0] == null) {
            result[0] = original.duplicate(context[0]);
        }
    }

    @Override
    public void cancel() {
        // Collectives cannot be cancelled.
    }

    @Override
    public void describe(Envelope envelope) {
        bcast.describe(envelope);
    }
}

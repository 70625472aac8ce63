package mpi;

import mpi.spi.Envelope;
import mpi.spi.Operation;

/** A failed operation whose error is still to be thrown. */
final class Failed implements Operation {
    private final MPIException why;

    Failed(MPIException why) {
        this.why = why;
    }

    @Override
    public boolean test() {
        throw why;
    }

    @Override
    public void await() {
        throw why;
    }

    @Override
    public void cancel() {
        // Too late, as for every operation that has ended.
    }

    @Override
    public void describe(Envelope envelope) {
        envelope.fill(MPI.ANY_SOURCE, MPI.ANY_TAG, 0, false);
    }
}

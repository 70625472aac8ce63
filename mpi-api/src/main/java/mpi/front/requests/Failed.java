package mpi.front.requests;

import mpi.MPIException;
import mpi.front.job.Constants;
import mpi.spi.Envelope;
import mpi.spi.Operation;

/** A failed operation whose error is still to be thrown. */
public final class Failed implements Operation {
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
        envelope.fill(Constants.ANY_SOURCE, Constants.ANY_TAG, 0, false);
    }
}

package mpi.front.requests;

import mpi.front.job.Constants;
import mpi.spi.Envelope;
import mpi.spi.PersistentOperation;

/** An operation that is complete from the start: communication with {@code MPI.PROC_NULL}. */
public final class Completed implements PersistentOperation.InPartitions {
    public static final Completed SENT = new Completed(Constants.ANY_SOURCE);
    public static final Completed RECEIVED_FROM_NOBODY = new Completed(Constants.PROC_NULL);

    private final int source;

    private Completed(int source) {
        this.source = source;
    }

    @Override
    public void start() {
        // Nothing to do, at every start.
    }

    @Override
    public void free() {
        // Nothing to free.
    }

    @Override
    public void ready(int first, int last, String call) {
        // There is nobody to send to.
    }

    @Override
    public boolean arrived(int partition) {
        return true;
    }

    @Override
    public boolean hasSucceeded() {
        return true;
    }

    @Override
    public boolean test() {
        return true;
    }

    @Override
    public void await() {
        // Nothing is left to wait for.
    }

    @Override
    public void cancel() {
        // Too late, as for every completed operation.
    }

    @Override
    public void describe(Envelope envelope) {
        envelope.fill(source, Constants.ANY_TAG, 0, false);
    }
}

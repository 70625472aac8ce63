package mpi.front.files;

import mpi.MPIException;
import mpi.front.job.Constants;
import mpi.spi.Envelope;
import mpi.spi.Operation;

/** A nonblocking access to a file, done when the call returned; its error is thrown by the call that completes it. */
public final class FileOperation implements Operation {
    private final long bytes;
    private MPIException failure;

    FileOperation(long bytes, MPIException failure) {
        this.bytes = bytes;
        this.failure = failure;
    }

    @Override
    public boolean test() {
        await();
        return true;
    }

    @Override
    public synchronized void await() {
        MPIException once = failure;
        failure = null;
        if (once != null) {
            throw once;
        }
    }

    @Override
    public void cancel() {
        // Too late.
    }

    @Override
    public void describe(Envelope envelope) {
        envelope.fill(Constants.ANY_SOURCE, Constants.ANY_TAG, bytes, false);
    }
}

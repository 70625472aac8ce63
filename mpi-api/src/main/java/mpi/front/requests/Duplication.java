package mpi.front.requests;

import mpi.front.job.Handle;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.Operation;

/** The operation that makes a duplicate; opens the duplicate's handle when complete. */
public final class Duplication implements Operation {
    private final Communicator[] made = new Communicator[1];
    private final Operation lower;
    private Handle promised;

    public Duplication(Communicator original, Handle promised) {
        this.promised = promised;
        this.lower = original.iduplicate(made);
    }

    @Override
    public boolean test() {
        if (!lower.test()) {
            return false;
        }
        open();
        return true;
    }

    @Override
    public void await() {
        lower.await();
        open();
    }

    private synchronized void open() {
        if (promised != null) {
            promised.open(made[0]);
            promised = null;
        }
    }

    @Override
    public void cancel() {
        // Collectives cannot be cancelled.
    }

    @Override
    public void describe(Envelope envelope) {
        lower.describe(envelope);
    }
}

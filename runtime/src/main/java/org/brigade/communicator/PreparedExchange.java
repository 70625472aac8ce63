package org.brigade.communicator;

import java.util.function.Supplier;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;

/** A collective call between two groups that is started again and again; each start is an exchange of its own. */
final class PreparedExchange implements PersistentOperation {
    private final Supplier<Operation> exchange;
    /** The last start; null before the first. */
    private volatile Operation started;

    PreparedExchange(Supplier<Operation> exchange) {
        this.exchange = exchange;
    }

    @Override
    public void start() {
        started = exchange.get();
    }

    @Override
    public boolean test() {
        Operation last = started;
        return last == null || last.test();
    }

    @Override
    public void await() {
        Operation last = started;
        if (last != null) {
            last.await();
        }
    }

    /** Collectives cannot be cancelled. */
    @Override
    public void cancel() {
    }

    @Override
    public void describe(Envelope envelope) {
        envelope.fill(-1, -1, 0, false);
    }

    @Override
    public void free() {
        // Nothing is kept but by what is under way.
    }
}

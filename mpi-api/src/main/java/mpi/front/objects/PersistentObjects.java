package mpi.front.objects;

import java.util.function.Supplier;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;

/** A send or a receive of {@code MPI.OBJECT} that is started again and again: each start makes its message anew. */
public final class PersistentObjects implements PersistentOperation {
    private final Supplier<Operation> begin;
    /** Of the last start. Other threads than the one that has started it may ask for it. */
    private volatile Operation last;

    /** @param begin starts the operation */
    public PersistentObjects(Supplier<Operation> begin) {
        this.begin = begin;
    }

    @Override
    public void start() {
        last = begin.get();
    }

    @Override
    public void free() {
        // Nothing to free.
    }

    @Override
    public boolean test() {
        return last.test();
    }

    @Override
    public void await() {
        last.await();
    }

    @Override
    public void cancel() {
        last.cancel();
    }

    @Override
    public void describe(Envelope envelope) {
        last.describe(envelope);
    }
}

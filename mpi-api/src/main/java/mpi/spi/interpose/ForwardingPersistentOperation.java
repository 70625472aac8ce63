package mpi.spi.interpose;

import mpi.spi.PersistentOperation;

/** A persistent operation that does what another one does; see {@link ForwardingOperation}. */
public class ForwardingPersistentOperation extends ForwardingOperation implements PersistentOperation {
    private final PersistentOperation below;

    public ForwardingPersistentOperation(PersistentOperation below) {
        super(below);
        this.below = below;
    }

    @Override
    public void start() {
        below.start();
    }

    @Override
    public void free() {
        below.free();
    }
}

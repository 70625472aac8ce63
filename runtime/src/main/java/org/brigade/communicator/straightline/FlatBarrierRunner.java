package org.brigade.communicator.straightline;

import mpi.spi.Call;
import mpi.spi.Operation;

/** Runs small barriers: an empty message from every rank to every other. */
final class FlatBarrierRunner extends FlatRunner {
    FlatBarrierRunner(Shared shared) {
        super(shared);
    }

    @Override
    public Operation start(Call call, long key) {
        flat.barrier(key);
        return null;
    }
}

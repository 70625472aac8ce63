package org.brigade.communicator.straightline;

import mpi.spi.Call;
import mpi.spi.Operation;

/** Runs small broadcasts: a message from the root to every other rank. */
final class FlatBcastRunner extends FlatRunner {
    FlatBcastRunner(Shared shared) {
        super(shared);
    }

    @Override
    public Operation start(Call call, long key) {
        flat.bcast(key, call);
        return null;
    }
}

package org.brigade.communicator.execution;

import mpi.spi.Call;

/** How a runner runs blocking calls that are described alike; see {@link Call#memo}. Under the progress lock. */
public interface Repeat {
    /**
     * Runs one.
     *
     * @param key of the call's messages
     */
    void run(Call call, long key);
}

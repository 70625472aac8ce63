package org.brigade.communicator.device;

import mpi.spi.Call;
import org.brigade.communicator.execution.PendingCollective;

/** Nonblocking calls that turn out not to run on devices. */
public interface HostCalls {
    /**
     * Decides how a call would run on the host: when it begins, as the members whose data are on the host do. Under the
     * progress lock.
     */
    Way way(Call call);

    /** A decided way to run one call. */
    interface Way {
        /**
         * Starts the call. Under the progress lock.
         *
         * @param key of its messages: the call has been counted already
         */
        PendingCollective start(long key);
    }
}

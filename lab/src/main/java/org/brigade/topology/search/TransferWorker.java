package org.brigade.topology.search;

import java.util.List;
import org.brigade.topology.profile.Transfer;

/**
 * A process that moves data for measurements, on behalf of one GPU or one processor core. Allocates its memory on first
 * use and keeps it.
 */
public interface TransferWorker extends AutoCloseable {
    /** Allocates what these transfers need. Not timed; all workers of a set do it before they begin. */
    void prepare(List<Transfer> transfers);

    /**
     * Moves the bytes of these transfers, concurrently as far as this worker's device can, and returns when the last
     * have arrived.
     */
    void move(List<Transfer> transfers);

    /** Called by all workers after a barrier, before they {@link #move}. Not timed. */
    default void settle() {
    }

    /** Whether the worker of a rank takes part in a transfer. */
    default boolean isPartOf(Transfer transfer, int rank) {
        return workerOf(transfer) == rank;
    }

    @Override
    void close();

    /** The GPU (or core) that carries a transfer out: the one that reads or writes. */
    static int workerOf(Transfer transfer) {
        return transfer.type().read() ? transfer.to() : transfer.from();
    }
}

package org.brigade.topology.search;

import java.util.List;
import org.brigade.topology.profile.Transfer;

/**
 * One of the processes that move data while they are measured: the one for one GPU, or one processor core. Makes its
 * memory when it is first needed and keeps it.
 */
public interface TransferWorker extends AutoCloseable {
    /** Makes what these transfers need. Not timed; all of a set do it before they begin. */
    void prepare(List<Transfer> transfers);

    /**
     * Moves the bytes of these transfers, all of them at once as far as what this worker stands for can, and returns
     * when the last have arrived.
     */
    void move(List<Transfer> transfers);

    @Override
    void close();

    /** Which GPU (or core) carries a transfer out: the one that reads or writes. */
    static int workerOf(Transfer transfer) {
        return transfer.type().read() ? transfer.to() : transfer.from();
    }
}

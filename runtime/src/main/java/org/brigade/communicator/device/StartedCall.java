package org.brigade.communicator.device;

import mpi.spi.Call;
import mpi.spi.PersistentOperation;
import org.brigade.communicator.execution.PendingCollective;
import org.brigade.device.DeviceCall;
import org.brigade.device.StartBoard;
import org.brigade.engine.Progress;

/**
 * A persistent call whose data on all members are in device memory; {@link PersistentDeviceQueue} launches its starts.
 */
final class StartedCall extends PendingCollective implements PersistentOperation {
    /** Its number among those of the communicator, the same on all members. */
    final int number;
    final Call call;
    final DeviceCall device;
    final StartBoard.Call board;
    private final PersistentDeviceQueue queue;
    private final Progress progress;
    /** Started, and neither launched yet nor failed. */
    boolean waits;
    /** Whether the first member, if it is this rank, has put the last start into the order. */
    boolean ordered;
    /** Not started again, but under way. */
    boolean freed;
    /** The number of the last launch. */
    long launched;
    private boolean done = true;

    StartedCall(Progress progress, PersistentDeviceQueue queue, int number, Call call, DeviceCall device,
        StartBoard.Call board) {
        super(progress, call.collective.key());
        this.progress = progress;
        this.queue = queue;
        this.number = number;
        this.call = call;
        this.device = device;
        this.board = board;
    }

    @Override
    public void start() {
        progress.lock.lock();
        try {
            queue.start(this);
            progress.poll();
        } finally {
            progress.lock.unlock();
        }
    }

    /** A start begins. */
    void begin() {
        failure = null;
        done = false;
        waits = true;
        ordered = false;
    }

    /** Its last start has ended. */
    void end(RuntimeException why) {
        if (!done) {
            failure = why;
            done = true;
        }
    }

    boolean isOver() {
        return done;
    }

    @Override
    protected boolean isDone() {
        return done;
    }

    @Override
    public void free() {
        progress.lock.lock();
        try {
            queue.free(this);
        } finally {
            progress.lock.unlock();
        }
    }
}

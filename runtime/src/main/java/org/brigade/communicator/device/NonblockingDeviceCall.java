package org.brigade.communicator.device;

import mpi.spi.Call;
import org.brigade.communicator.execution.PendingCollective;
import org.brigade.communicator.route.Routes;
import org.brigade.device.DeviceCall;
import org.brigade.engine.Progress;

/**
 * A nonblocking call whose data on this rank are in device memory. It is announced; then the
 * {@link NonblockingDeviceQueue} launches it, or it runs on the host.
 */
final class NonblockingDeviceCall extends PendingCollective {
    final Call call;
    final DeviceCall device;
    /** How it would run on the host, decided when it began. */
    final Routes.Decided onHost;
    /** The number of the call, and the key of its messages. */
    final long number;
    final long key;
    /** The members' announcements that have been seen. */
    long seen;
    /** The number of the launch. */
    long launched;
    private PendingCollective followed;
    private boolean done;

    NonblockingDeviceCall(Progress progress, Call call, DeviceCall device, Routes.Decided onHost, long number,
        long key) {
        super(progress, call.collective.key());
        this.call = call;
        this.device = device;
        this.onHost = onHost;
        this.number = number;
        this.key = key;
    }

    /** It runs on the host from now on. */
    void follow(PendingCollective operation) {
        followed = operation;
        device.release();
    }

    /** It has ended on the device, or cannot be run. */
    void end(RuntimeException why) {
        if (!done) {
            failure = why;
            done = true;
            device.release();
        }
    }

    /** Whether it has ended, on the device or with an error. */
    boolean isOver() {
        return done;
    }

    @Override
    protected boolean isDone() {
        if (!done && followed != null && follows(followed)) {
            done = true;
            followed = null;
        }
        return done;
    }
}

package org.brigade.communicator.device;

import mpi.MPIException;
import org.brigade.device.DeviceGroup;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;

/**
 * Calls of one communicator on devices that nobody may wait for, served by {@link DeviceQueueThread}. Under the
 * progress lock.
 */
abstract class DeviceQueue implements DeviceGroup.Waiting {
    /** Between two checks whether a member that has not begun a call has left. */
    private static final long LOOK_NANOS = 20_000_000;

    final Progress progress;
    final Membership membership;
    /** What the calls are, in errors. */
    private final String what;
    private long lookedAt = System.nanoTime();

    DeviceQueue(Progress progress, Membership membership, String what) {
        this.progress = progress;
        this.membership = membership;
        this.what = what;
    }

    /** Launches what can be launched, and notes what has ended; true if there was anything. */
    abstract boolean poll();

    /** Whether no call is under way on the device, or may yet be. */
    abstract boolean isIdle();

    /** The last call under way has ended. */
    abstract void idles();

    /** Whether calls wait to be launched. */
    abstract boolean hasAnnounced();

    /** Whether {@link #open} has to be called. */
    boolean isOpening() {
        return false;
    }

    /** Opens what the first call needs, together with the members. Releases the lock while it waits. */
    void open() {
    }

    /** A member is lost, or has left if {@code leaving}: calls that wait for it fail. */
    abstract void failLost(boolean leaving);

    /** Looks now and then at members that have not begun what this rank has announced. */
    final void lookAtMembers() {
        long now = System.nanoTime();
        if (now - lookedAt > LOOK_NANOS) {
            lookedAt = now;
            failLost(true);
        }
    }

    /**
     * Why a call waits for a member in vain; null if it does not.
     *
     * @param leaving whether to look for members that have left without beginning the call, else for lost ones
     * @param begun whether that member has begun the call, if {@code leaving}
     */
    final MPIException inVain(String call, int member, boolean leaving, boolean begun) {
        int job = membership.members[member];
        if (leaving) {
            return !begun && progress.endpoint.isLeaving(job) ? progress.losses.neverComes(call, membership, job)
                : null;
        }
        String lost = progress.endpoint.lost(job);
        return lost != null ? progress.losses.lost(call, membership, lost) : null;
    }

    // ---- for the group: a queue never waits ----

    @Override
    public final void turn() {
    }

    @Override
    public final MPIException lost(String why) {
        return progress.losses.lost(what, membership, why);
    }
}

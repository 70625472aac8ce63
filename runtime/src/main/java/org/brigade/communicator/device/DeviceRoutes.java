package org.brigade.communicator.device;

import java.util.Map;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.DeviceBuffer;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.execution.Runner;
import org.brigade.communicator.route.Routes;
import org.brigade.device.DeviceCallAnnouncements;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.device.StartBoard;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.select.Choice;
import org.brigade.select.Selector;
import org.brigade.select.trial.SizeClass;

/**
 * The routes of one communicator on device memory: blocking calls to the {@link KernelRunner}, nonblocking ones to the
 * {@link NonblockingKernelRunner}. What these do not take goes through host memory, by the communicator's
 * {@link Routes} there.
 */
public final class DeviceRoutes {
    private final Progress progress;
    private final Devices devices;
    private final CallSequence calls;
    private final DeviceMembers members;
    private final Routes host;
    private final BufferPlaces places;
    // Null, all of them, if no call of this communicator runs on devices.
    private final DeviceAgreement agreement;
    private final KernelRunner kernels;
    private final NonblockingDeviceQueue queue;
    private final NonblockingKernelRunner nonblocking;
    private final PersistentDeviceQueue starts;
    private final PersistentPreparation persistent;

    /**
     * @param selector for calls on device memory
     * @param calls how the communicator's calls are counted
     * @param line null if no call of this communicator runs on devices
     * @param forStarts the group of persistent calls
     * @param board where this rank tells of these; null if it has none
     * @param host runs what does not run on devices
     */
    DeviceRoutes(Progress progress, Devices devices, Selector selector, CallSequence calls,
        DeviceCallAnnouncements line,
        Membership membership, DeviceMembers members, DeviceMembers forStarts, StartBoard board,
        DeviceQueueThread thread,
        Routes host) {
        this.progress = progress;
        this.devices = devices;
        this.calls = calls;
        this.members = members;
        this.host = host;
        places = new BufferPlaces(devices, progress.endpoint);
        if (line == null) {
            agreement = null;
            kernels = null;
            queue = null;
            nonblocking = null;
            starts = null;
            persistent = null;
            return;
        }
        agreement = new DeviceAgreement(progress, calls, line, membership);
        KernelChoices choices = new KernelChoices(selector, membership.rank, membership.members.length, calls.name());
        queue = new NonblockingDeviceQueue(progress, calls, line, membership, members, choices);
        kernels = new KernelRunner(progress, devices, selector, calls, line, membership, members, agreement, queue,
            members.trials());
        nonblocking =
            new NonblockingKernelRunner(progress, devices, calls, line, membership, members, agreement, queue, thread,
                host);
        starts =
            new PersistentDeviceQueue(progress, devices, membership, forStarts, board, choices, thread, calls.name());
        persistent = new PersistentPreparation(progress, devices, calls, line, membership, members, agreement, starts);
    }

    /** Runs a blocking call, or starts a nonblocking one; see {@link mpi.spi.Communicator#start}. */
    public Operation start(Call call) {
        if (agreement == null) {
            return host.start(call);
        }
        if (call.memo instanceof RepeatedDeviceCall last && last.isOf(this) && last.again(call)) {
            return null;
        }
        Runner runner = call.blocking ? kernels : nonblocking;
        progress.lock.lock();
        try {
            if (runner.offer(call) != Runner.Offer.NO && runner.agree(call)) {
                Operation begun = runner.start(call, calls.key());
                if (call.blocking && call.repeats) {
                    remember(call);
                }
                return begun;
            }
        } finally {
            if (call.blocking) {
                kernels.passed();
            }
            progress.lock.unlock();
        }
        return host.start(call);
    }

    /** A call has returned that probably comes again. */
    private void remember(Call call) {
        int number = kernels.number();
        call.memo = number == 0 ? null : new RepeatedDeviceCall(this, number);
    }

    /**
     * Makes a call that is described as one before.
     *
     * @param number of the description
     * @return false, with nothing done, if it must be started as ever
     */
    boolean again(Call call, int number) {
        progress.lock.lock();
        try {
            if (!kernels.retake(call, number)) {
                return false;
            }
            if (kernels.agree(call)) {
                kernels.start(call, calls.key());
                return true;
            }
        } finally {
            kernels.passed();
            progress.lock.unlock();
        }
        host.start(call);
        return true;
    }

    boolean isStill(Object pointer, DeviceBuffer memory) {
        return devices.isStill(pointer, memory);
    }

    /** The error of a call whose memory has been freed in a way that was seen late. */
    MPIException gone(Call call, Object memory) {
        return ErrorClass.BUFFER.in(call.collective.key(), call.rank, call.ranks, calls.name(),
            memory + " has been freed since the last call; pass what is allocated now");
    }

    /**
     * Makes a persistent call whose data here are in device memory, together with all members. Returns null if its
     * starts go through the host; the call has not been counted then, or by all members alike.
     */
    public PersistentOperation prepare(Call call) {
        progress.lock.lock();
        try {
            return persistent == null ? null : persistent.prepare(call);
        } finally {
            progress.lock.unlock();
        }
    }

    /** Does this when no call is under way but those that wait, and none can be started. Under the progress lock. */
    void whenIdle(Runnable action) {
        if (queue == null) {
            action.run();
        } else {
            queue.whenIdle(() -> starts.atEnd(action));
        }
    }

    /**
     * The group; opens it together with all members if needed. Null if there is none. See
     * {@link org.brigade.device.DeviceCommunicator#deviceGroup}.
     */
    public DeviceGroup group(DeviceBuffer buffer) {
        progress.lock.lock();
        try {
            settle("StreamCommunicator.open");
            return openedFor(buffer);
        } finally {
            progress.lock.unlock();
        }
    }

    private DeviceGroup openedFor(DeviceBuffer buffer) {
        if (members.group() == null && !members.isHopeless()) {
            boolean reachable =
                agreement != null && agreement.isPossible() && places.export(buffer) != Devices.UNREACHABLE;
            if (members.firstWithout(reachable) >= 0) {
                return null;
            }
            members.open(buffer);
        }
        return members.group();
    }

    /** See {@link org.brigade.device.DeviceCommunicator#exchange}. */
    public byte[][] exchange(byte[] mine) {
        progress.lock.lock();
        try {
            settle("an exchange");
            return members.allgather(mine);
        } finally {
            progress.lock.unlock();
        }
    }

    private void settle(String name) {
        if (queue != null) {
            queue.settle(agreement, name);
        }
    }

    /** See {@link org.brigade.device.DeviceCommunicator#measured}. */
    public Map<SizeClass, Choice> measured() {
        progress.lock.lock();
        try {
            return members.trials() == null ? Map.of() : members.trials().kept();
        } finally {
            progress.lock.unlock();
        }
    }

    /** Closes the group. Under the progress lock. */
    void close() {
        members.close();
        if (starts != null) {
            starts.close();
        }
    }
}

package org.brigade.communicator.device;

import java.util.List;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.DeviceBuffer;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.call.CursorPool;
import org.brigade.communicator.wires.WireSource;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.engine.FlatCollectives;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.report.DeviceReport;
import org.brigade.select.TuningException;

/**
 * Holds the {@link DeviceGroup} of one communicator. All members open it together in the first call that needs it, and
 * close it with the communicator. Under the progress lock.
 */
final class DeviceMembers {
    private final Progress progress;
    private final Devices devices;
    private final Membership membership;
    private final Agreement agreement;
    private final CallSequence aside;
    private final WireSource wires;
    /** Null if nothing is tried. */
    private final CallTrials trials;
    /** Null if this rank tells nothing. */
    private final DeviceReport report;
    private DeviceGroup group;
    /** Some member could not open the group, so no member uses one. */
    private boolean hopeless;

    /**
     * @param aside keys for the library's own messages
     * @param wires tells what is known about the wires between the members' devices
     * @param trials of the group's calls; null if nothing is tried
     * @param report told of the group; null if this rank tells nothing
     */
    DeviceMembers(Progress progress, Devices devices, Membership membership, CombinerCache combiners,
        CallSequence aside,
        WireSource wires, CallTrials trials, DeviceReport report) {
        this.progress = progress;
        this.devices = devices;
        this.membership = membership;
        this.agreement = new Agreement(membership, new FlatCollectives(progress, membership),
            new CursorPool(progress, membership), combiners, CommunicatorTopology.NONE);
        this.aside = aside;
        this.wires = wires;
        this.trials = trials;
        this.report = report;
    }

    /** The group; null while it is not open. */
    DeviceGroup group() {
        return group;
    }

    /** The trials of the group's calls; null if nothing is tried. */
    CallTrials trials() {
        return trials;
    }

    /** Whether the group can never be opened. */
    boolean isHopeless() {
        return hopeless;
    }

    /**
     * Opens the group; collective. Null on all members if one of them cannot.
     *
     * @throws mpi.MPIException on all members, if one was told to use a topology profile that it cannot use or that
     * others do not have
     */
    DeviceGroup open(DeviceBuffer buffer) {
        group =
            devices.open(progress.endpoint, membership.members, membership.rank, buffer, wires(devices.name(buffer)),
                this::allgather);
        hopeless = group == null;
        if (report != null) {
            report.opened(membership.members.length, hopeless ? null : group.machine(),
                hopeless ? List.of() : group.costs());
        }
        if (group != null && trials != null) {
            trials.opened(group.machine(), this::allgather);
        }
        return group;
    }

    /** Requires that the open group serves a call here. @param communicator its name, for the error */
    void requireServed(DeviceCall call, String communicator) {
        String refusal = group.refuses(call);
        if (refusal != null) {
            throw refused(call, communicator, refusal);
        }
    }

    MPIException refused(DeviceCall call, String communicator, String refusal) {
        return ErrorClass.BUFFER.in(call.collective.key(), membership.rank, membership.members.length, communicator,
            refusal);
    }

    private CommunicatorTopology wires(String device) {
        if (!wires.tells(membership.members.length)) {
            return CommunicatorTopology.NONE;
        }
        try {
            return wires.askOfDevices(this::allgather, device, membership.rank, membership.members.length);
        } catch (TuningException e) {
            throw ErrorClass.OTHER.in("device memory", e.getMessage());
        }
    }

    /**
     * Tells all members whether a condition holds here. Returns the first member where it does not hold, or -1.
     * Collective.
     */
    int firstWithout(boolean holds) {
        byte[][] all = allgather(new byte[] {(byte) (holds ? 1 : 0)});
        for (int member = 0; member < all.length; member++) {
            if (all[member][0] == 0) {
                return member;
            }
        }
        return -1;
    }

    /** Gathers all members' blocks, in rank order; all blocks have the same length. Collective. */
    byte[][] allgather(byte[] mine) {
        return agreement.all(aside.take(), mine);
    }

    void close() {
        if (group != null) {
            if (trials != null) {
                trials.close();
            }
            group.close();
            group = null;
            hopeless = true;
        }
    }
}

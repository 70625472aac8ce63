package org.brigade.communicator.device;

import mpi.ErrorClass;
import mpi.spi.DeviceBuffer;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.call.CursorPool;
import org.brigade.communicator.wires.WireSource;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.pattern.Wires;
import org.brigade.select.TuningException;

/**
 * The {@link DeviceGroup} of one communicator: opened by all members at once, in the first call that needs it, and
 * closed with the communicator. Under the progress lock.
 */
final class DeviceMembers {
    private final Progress progress;
    private final Devices devices;
    private final Membership party;
    private final Agreement agreement;
    private final CallSequence aside;
    private final WireSource wires;
    private DeviceGroup group;
    /** A member could not open the group: so it is for all. */
    private boolean hopeless;

    /**
     * @param aside keys of their own for words of the library's own
     * @param wires where to ask for what is known of those between the members' devices
     */
    DeviceMembers(Progress progress, Devices devices, Membership party, CombinerCache combiners, CallSequence aside,
        WireSource wires) {
        this.progress = progress;
        this.devices = devices;
        this.party = party;
        this.agreement = new Agreement(party, new CursorPool(progress, party), combiners, Wires.NONE);
        this.aside = aside;
        this.wires = wires;
    }

    /** Null while it is not open. */
    DeviceGroup group() {
        return group;
    }

    /** Whether there never will be one. */
    boolean isHopeless() {
        return hopeless;
    }

    /**
     * Opens it; collective. Null, on all members, if one cannot.
     *
     * @throws mpi.MPIException on all, if one was told to use a topology profile that it cannot use, or that others do
     * not have
     */
    DeviceGroup open(DeviceBuffer buffer) {
        group = devices.open(progress.endpoint, party.members, party.rank, buffer, wires(devices.name(buffer)),
            this::allgather);
        hopeless = group == null;
        return group;
    }

    private Wires wires(String device) {
        if (!wires.tells(party.members.length)) {
            return Wires.NONE;
        }
        try {
            return wires.askOfDevices(this::allgather, device, party.rank, party.members.length);
        } catch (TuningException e) {
            throw ErrorClass.OTHER.in("device memory", e.getMessage());
        }
    }

    /**
     * Tells all members whether something holds here; the first for whom it does not, -1 if there is none. Collective.
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

    /** Sends a block to all members, gets theirs, in order; all are of one length. Collective. */
    byte[][] allgather(byte[] mine) {
        return agreement.all(aside.take(), mine);
    }

    void close() {
        if (group != null) {
            group.close();
            group = null;
            hopeless = true;
        }
    }
}

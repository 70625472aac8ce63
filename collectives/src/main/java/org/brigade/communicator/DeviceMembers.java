package org.brigade.communicator;

import java.util.Arrays;
import mpi.ErrorClass;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.DeviceBuffer;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.engine.Progress;
import org.brigade.pattern.Wires;
import org.brigade.select.TuningException;

/**
 * The {@link DeviceGroup} of one communicator: opened by all members at once, in the first call that needs it, and
 * closed with the communicator. Under the progress lock.
 */
final class DeviceMembers {
    private final Progress progress;
    private final CollectiveDispatch aside;
    private final int rank;
    private final int[] members;
    private final WireSource wires;
    private DeviceGroup group;
    /** A member could not open the group: so it is for all. */
    private boolean hopeless;

    /**
     * @param aside the host's collectives for words of the library's own, under keys of their own
     * @param wires where to ask for what is known of those between the members' devices
     */
    DeviceMembers(Progress progress, CollectiveDispatch aside, int rank, int[] members, WireSource wires) {
        this.progress = progress;
        this.aside = aside;
        this.rank = rank;
        this.members = members;
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
    DeviceGroup open(Devices devices, DeviceBuffer buffer) {
        group = devices.open(progress.endpoint, members, rank, buffer, wires(devices.name(buffer)), this::allgather);
        hopeless = group == null;
        return group;
    }

    private Wires wires(String device) {
        if (!wires.tells(members.length)) {
            return Wires.NONE;
        }
        try {
            return wires.askOfDevices(this::allgather, device, rank, members.length);
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

    /**
     * Sends a block to all members, gets theirs, in order; all are of one length. Collective; the lock is let go
     * meanwhile.
     */
    byte[][] allgather(byte[] mine) {
        int ranks = members.length;
        byte[] all = new byte[mine.length * ranks];
        progress.lock.unlock();
        try {
            Call call = new Call(rank, ranks).begin(Collective.ALLGATHER, true);
            call.recv.each(all, 0, mine.length, ranks);
            call.send.own(mine, 0, mine.length);
            aside.start(call);
        } finally {
            progress.lock.lock();
        }
        byte[][] blocks = new byte[ranks][];
        for (int member = 0; member < ranks; member++) {
            blocks[member] = Arrays.copyOfRange(all, member * mine.length, (member + 1) * mine.length);
        }
        return blocks;
    }

    void close() {
        if (group != null) {
            group.close();
            group = null;
            hopeless = true;
        }
    }
}

package org.brigade.device;

import java.util.Map;
import mpi.spi.DeviceBuffer;
import org.brigade.select.Choice;
import org.brigade.select.trial.SizeClass;

/** A communicator for extensions that use devices: {@code comm.unwrap(DeviceCommunicator.class)}. */
public interface DeviceCommunicator {
    /**
     * The group that runs this communicator's collectives on devices. Opens it if it is not open yet; that is
     * collective over the members.
     *
     * @param buffer a buffer of this rank: a group that is opened now works on its GPU
     * @return null, on all members, if some member's memory cannot be reached by the others, or its devices cannot run
     * such a group
     */
    DeviceGroup deviceGroup(DeviceBuffer buffer);

    /** Whether all members are on one node: kernels reach no other node. */
    boolean isOnOneNode();

    /** The devices of this communicator; null if there are none. */
    Devices devices();

    /** The choices that were measured on its devices, if they are used; the same on all members. */
    Map<SizeClass, Choice> measured();

    /** Allgather: sends a block to all members and returns theirs by rank; all blocks have one length. Collective. */
    byte[][] exchange(byte[] mine);
}

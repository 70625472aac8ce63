package org.brigade.device;

import mpi.spi.DeviceBuffer;

/** A communicator as extensions for devices see it: {@code comm.unwrap(DeviceCommunicator.class)}. */
public interface DeviceCommunicator {
    /**
     * The fused collectives of this communicator, opened if they are not open. Collective over its members while they
     * are not.
     *
     * @param buffer a buffer of this rank: if they are opened now, its GPU is the one that they work on
     * @return null, on all members, if some member's memory cannot be reached by the others, or its devices cannot do
     * this
     */
    DeviceGroup deviceGroup(DeviceBuffer buffer);

    /** Whether all members are on one node: kernels reach no other. */
    boolean isOnOneNode();

    /** The devices that this communicator works with; null if there are none. */
    Devices devices();

    /** Sends a block to all members, gets theirs, in order; all blocks are of one length. Collective. */
    byte[][] exchange(byte[] mine);
}

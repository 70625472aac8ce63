package org.brigade.device;

import mpi.spi.DeviceBuffer;
import org.brigade.pattern.Wires;
import org.brigade.transport.Endpoint;

/**
 * The GPUs of this process. The one in brigade.jar is loaded by name when a buffer is first neither an array nor an NIO
 * buffer; a process that has none never pays for it. Under the progress lock, one thread at a time.
 */
public interface Devices {
    /** {@link #export} of memory that peers cannot map: its collectives are staged through the host. */
    long UNREACHABLE = -1;

    /** As {@link mpi.spi.Provider#underlying}. May be called by any thread, without the lock. */
    Object underlying(Object buffer);

    /**
     * Offers the allocation behind a buffer to the ranks of this node.
     *
     * @return a number by which this rank's peers find the allocation, the same as long as it lives and never used for
     * another; {@link #UNREACHABLE} if it cannot be offered
     */
    long export(Endpoint endpoint, DeviceBuffer buffer);

    /** Where a buffer begins in its exported allocation, in bytes. */
    long offset(DeviceBuffer buffer);

    /**
     * Opens the fused collectives of one communicator. Collective over its members, who have all just been found to
     * have reachable device memory.
     *
     * @param members ranks of the job, all on this node
     * @param buffer a buffer of this rank: its GPU is the one that the group works on
     * @param wires what is known of those between the members' devices, the same on all: rings and chains follow it
     * @param exchange how members tell each other what they need to know
     * @return the group; null if any member could not open it (the same on all): then calls are staged
     */
    DeviceGroup open(Endpoint endpoint, int[] members, int rank, DeviceBuffer buffer, Wires wires, Exchange exchange);

    /** What a topology profile calls the device that a buffer is on: its PCI bus id. Null if that is not known. */
    default String name(DeviceBuffer buffer) {
        return null;
    }

    /**
     * Copies that run beside the processor; null if there are none, and links copy by {@link DeviceBuffer}'s own
     * methods. Always the same object.
     */
    default CopyEngine copies() {
        return null;
    }

    /**
     * This rank makes no more calls: lets go of the peers' memory, but not yet of its own, which peers that are a
     * little behind may still write into.
     */
    default void leave(Endpoint endpoint) {
    }

    /** All ranks have left: frees what {@link #leave} kept. */
    default void end(Endpoint endpoint) {
    }

    /** An allgather of bytes among the members of a communicator. */
    interface Exchange {
        /** Sends a block to all members, gets theirs, in order; all blocks are of one length. */
        byte[][] allgather(byte[] mine);
    }
}

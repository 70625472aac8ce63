package org.brigade.device;

import mpi.spi.DeviceBuffer;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;

/** Copies that run beside the processor: what links need in order to move device memory without waiting for it. Under the progress lock, one thread at a time. */
public interface CopyEngine {
    /**
     * Makes host memory ready for copies that the device does alone. Where that is refused copies are as right as before, only slower. For memory that lives as long as the process.
     */
    void pin(NativeMemory memory);

    /**
     * Where a byte of a peer's exported allocation lies here, for a {@link CopyQueue#pull}.
     *
     * @param export what the peer's {@link Devices#export} answered
     * @param offset from the start of that allocation
     * @param target what the bytes are to be copied to: its GPU is the one that must reach them
     * @return a device address; 0 if this GPU cannot reach them
     */
    long map(Endpoint endpoint, int peer, long export, long offset, DeviceBuffer target);

    /**
     * How much of a long copy between two GPUs goes through the host meanwhile, in percent: worth something only where their own link and both links to the host are different ones.
     *
     * @param export what {@link #map} was asked for
     */
    int hostShare(Endpoint endpoint, int peer, long export, DeviceBuffer target);

    /** A queue of its own; it holds nothing until it is first used. */
    CopyQueue queue();
}

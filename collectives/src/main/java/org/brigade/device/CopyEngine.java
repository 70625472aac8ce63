package org.brigade.device;

import mpi.spi.DeviceBuffer;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;

/**
 * Copies that run beside the processor: what links need in order to move device memory without waiting for it. Under
 * the progress lock, one thread at a time.
 */
public interface CopyEngine {
    /**
     * Makes host memory ready for copies that the device does alone. Where that is refused copies are as right as
     * before, only slower. For memory that lives as long as the process.
     */
    void pin(NativeMemory memory);

    /** Undoes {@link #pin} for memory that is about to go: the device would go on with the pages that were there. */
    default void unpin(NativeMemory memory) {
    }

    /**
     * The allocation that a buffer is in, for an adapter that is to read it without this host's help; null for memory
     * that no adapter can be shown (pools, managed memory, other contexts).
     */
    default DeviceRange range(DeviceBuffer buffer) {
        return null;
    }

    /**
     * Memory of our own with this content on the device of another buffer, at an address that any adapter likes, which
     * one is to try itself on. Lives as long as the process.
     *
     * @return null if there is none
     */
    default DeviceBuffer sample(NativeMemory content, DeviceBuffer beside) {
        return null;
    }

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
     * How much of a long copy between two GPUs goes through the host meanwhile, in percent: worth something only where
     * their own link and both links to the host are different ones.
     *
     * @param export what {@link #map} was asked for
     */
    int hostShare(Endpoint endpoint, int peer, long export, DeviceBuffer target);

    /**
     * Between this and {@link #leave} a library of others may read and write a buffer's memory in this thread: it finds
     * the device's context in place of the thread's own.
     */
    default void enter(DeviceBuffer buffer) {
    }

    /** Gives the thread its context back. */
    default void leave() {
    }

    /** A queue of its own; it holds nothing until it is first used. */
    CopyQueue queue();
}

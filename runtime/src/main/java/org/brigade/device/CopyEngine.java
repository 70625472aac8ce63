package org.brigade.device;

import mpi.spi.DeviceBuffer;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;

/**
 * Asynchronous copies by the device, which links need to move device memory without waiting. Under the progress lock,
 * one thread at a time.
 */
public interface CopyEngine {
    /**
     * Pins host memory, so that the device can copy it alone. If pinning is refused, copies work but are slower.
     */
    void pin(NativeMemory memory);

    /** Undoes {@link #pin} before memory is released: the device would go on using its old pages. */
    default void unpin(NativeMemory memory) {
    }

    /**
     * The allocation around a buffer, so that an adapter can read it without the host; null for memory that adapters
     * cannot use (pools, managed memory, other contexts).
     */
    default DeviceRange range(DeviceBuffer buffer) {
        return null;
    }

    /**
     * Memory of our own on the same device as another buffer, at an address that suits any adapter.
     *
     * @return null if there is none
     */
    default DeviceBuffer allocate(long bytes, DeviceBuffer beside) {
        return null;
    }

    /** Frees memory of {@link #allocate}, which nothing may use any more. */
    default void free(DeviceBuffer memory) {
    }

    /**
     * Maps a byte of a peer's exported allocation, for {@link CopyQueue#pull}.
     *
     * @param export the peer's {@link Devices#export}
     * @param offset from the start of that allocation
     * @param target the destination: its GPU must reach the bytes
     * @return a device address; 0 if this GPU cannot reach them
     */
    long map(Endpoint endpoint, int peer, long export, long offset, DeviceBuffer target);

    /**
     * Percentage of a long copy between two GPUs that should go through host memory: above 0 only if the link between
     * the GPUs and their links to the host are different ones.
     *
     * @param export as for {@link #map}
     */
    int hostShare(Endpoint endpoint, int peer, long export, DeviceBuffer target);

    /**
     * Until {@link #leave}, another library may access a buffer's memory in this thread: the device's context replaces
     * the thread's own.
     */
    default void enter(DeviceBuffer buffer) {
    }

    /** Restores the thread's own context. */
    default void leave() {
    }

    /** A new queue; it holds no resources until its first use. */
    CopyQueue queue();
}

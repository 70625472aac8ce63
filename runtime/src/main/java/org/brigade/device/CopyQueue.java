package org.brigade.device;

import mpi.spi.DeviceBuffer;
import org.brigade.memory.NativeMemory;

/**
 * Asynchronous copies that run one after another, in the order of their calls. The caller must leave alone what a copy
 * reads and writes until {@link #running} no longer counts it. Under the progress lock, one thread at a time.
 *
 * <p>
 * Every method but {@link #close} throws {@link mpi.MPIException} if the device fails. Then the queue's copies are
 * lost, and {@link #running} returns 0 until the next copy begins.
 */
public interface CopyQueue {
    /**
     * Begins to copy from a peer's bytes, at the address that {@link CopyEngine#map} returned, to byte {@code at} of
     * device memory.
     */
    void pull(long mapped, DeviceBuffer target, long at, long bytes);

    /** Begins to copy from device memory to host memory. */
    void read(DeviceBuffer source, long at, NativeMemory target, int targetAt, int bytes);

    /** Begins to copy from host memory to device memory. */
    void write(NativeMemory source, int sourceAt, DeviceBuffer target, long at, int bytes);

    /** Number of unfinished copies. */
    int running();

    /** Waits for running copies and releases all resources. Never throws. */
    void close();
}

package org.brigade.device;

import mpi.spi.DeviceBuffer;
import org.brigade.memory.NativeMemory;

/**
 * Copies that run one after another in the order in which they were begun, while the caller does other things. What a
 * copy reads and writes is left alone until {@link #running} no longer counts it. Under the progress lock, one thread
 * at a time.
 *
 * <p>
 * Every method but {@link #close} throws {@link mpi.MPIException} if the device fails; then no copy of this queue runs
 * any more, and {@link #running} answers 0 until the next begins.
 */
public interface CopyQueue {
    /**
     * Begins to copy from where {@link CopyEngine#map} found a peer's bytes to byte {@code at} of device memory and
     * behind.
     */
    void pull(long mapped, DeviceBuffer target, long at, long bytes);

    /** Begins to copy from device memory to host memory. */
    void read(DeviceBuffer source, long at, NativeMemory target, int targetAt, int bytes);

    /** Begins to copy from host memory to device memory. */
    void write(NativeMemory source, int sourceAt, DeviceBuffer target, long at, int bytes);

    /** Copies begun here that have not ended, as seen now. */
    int running();

    /** Waits for what runs and gives everything back. Never throws. */
    void close();
}

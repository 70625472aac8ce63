package mpi.spi;

import java.nio.ByteBuffer;

/**
 * A stretch of device memory from a caller's pointer to the end of its allocation: the form in which such a pointer
 * goes down in place of an array or an NIO buffer. The copies here are complete when they return, and are ordered
 * behind what the caller has given his streams only if he has waited for it.
 */
public abstract class DeviceBuffer {
    /** The device address of byte 0. */
    public final long address;
    /** Bytes from there to the end of the allocation. */
    public final long bytes;

    protected DeviceBuffer(long address, long bytes) {
        this.address = address;
        this.bytes = bytes;
    }

    /**
     * Copies {@code length} bytes from byte {@code at} on into a direct buffer's bytes from {@code targetAt} on,
     * whatever its position and limit.
     */
    public abstract void read(long at, ByteBuffer target, int targetAt, int length);

    /** Copies {@code length} bytes of a direct buffer from {@code sourceAt} on to byte {@code at} and behind. */
    public abstract void write(long at, ByteBuffer source, int sourceAt, int length);

    /**
     * Copies {@code length} bytes from byte {@code at} on to byte {@code targetAt} of another (or this; the two
     * stretches do not overlap).
     */
    public abstract void copy(long at, DeviceBuffer target, long targetAt, long length);

    /** For messages: {@code device memory of 4096 bytes on GPU 0}. */
    @Override
    public abstract String toString();
}

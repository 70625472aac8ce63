package mpi.spi;

import java.nio.ByteBuffer;

/**
 * Device memory from a caller's pointer to the end of its allocation; it takes the place of an array or NIO buffer
 * below package mpi. Copies are complete when they return. They are ordered after the caller's work on streams only if
 * the caller has waited for that work.
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
     * Copies {@code length} bytes from byte {@code at} to byte {@code targetAt} of a direct buffer, whatever its
     * position and limit.
     */
    public abstract void read(long at, ByteBuffer target, int targetAt, int length);

    /** Copies {@code length} bytes from byte {@code sourceAt} of a direct buffer to byte {@code at}. */
    public abstract void write(long at, ByteBuffer source, int sourceAt, int length);

    /**
     * Copies {@code length} bytes from byte {@code at} to byte {@code targetAt} of another buffer, or of this one
     * without overlap. Only if both lie on devices, or neither.
     */
    public abstract void copy(long at, DeviceBuffer target, long targetAt, long length);

    /** Whether a device has it; else it is memory of another process, which is copied in the same way. */
    public boolean isOnDevice() {
        return true;
    }

    /** Whether the memory has not been freed, as far as that can be seen. */
    public boolean isAlive() {
        return true;
    }

    /**
     * The packed bytes of items with gaps in this memory, as memory that only its own methods reach. The device packs.
     *
     * @param place byte of this memory at which item 0 lies
     * @param items all items
     * @return null if the device cannot pack: then each block of an item is copied by itself
     */
    public DeviceBuffer packed(long place, TypeMap items) {
        return null;
    }

    /** Whether the bytes lie side by side from {@link #address} on. Else nothing may use the address. */
    public boolean isContiguous() {
        return true;
    }

    /** For messages: {@code device memory of 4096 bytes on GPU 0}. */
    @Override
    public abstract String toString();
}

package org.brigade.transport.cuda.driver;

import mpi.spi.DeviceBuffer;

/** The packed bytes of items with gaps in device memory. */
public abstract class PackedBuffer extends DeviceBuffer {
    /** Where the items lie. */
    public final CudaBuffer memory;

    protected PackedBuffer(CudaBuffer memory) {
        super(0, Long.MAX_VALUE);
        this.memory = memory;
    }

    @Override
    public final boolean isContiguous() {
        return false;
    }

    /**
     * Unpacks {@code length} bytes from byte {@code sourceAt} of a buffer, to the packed byte {@code at} and behind.
     */
    abstract protected void fill(long at, CudaBuffer source, long sourceAt, long length);

    @Override
    public String toString() {
        return "items with gaps in " + memory;
    }
}

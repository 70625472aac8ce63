package org.brigade.transport.cuda.driver;

import java.nio.ByteBuffer;
import mpi.spi.DeviceBuffer;
import mpi.spi.TypeMap;

/** Device memory from a caller's pointer to the end of its allocation. Threads may share it. */
public final class CudaBuffer extends DeviceBuffer {
    public final Allocation allocation;
    /** Since whose launch the driver has said that the allocation is there; null if not asked. Any thread's answer. */
    private Stay seen;

    public CudaBuffer(Allocation allocation, long address) {
        super(address, allocation.base + allocation.bytes - address);
        this.allocation = allocation;
    }

    /** The buffer's offset in its allocation, in bytes. */
    public long offset() {
        return address - allocation.base;
    }

    /** Whether the memory has not been freed; asks the driver only once while a kernel {@linkplain Stay stays}. */
    public boolean isStillThere() {
        Stay stay = allocation.gpu.stay; // before the driver is asked
        if (stay != null && stay == seen && stay.lasts()) {
            return true;
        }
        boolean there = DeviceMemory.isAlive(allocation);
        if (there && allocation.exportable && seen != stay) {
            seen = stay;
        }
        return there;
    }

    /** The memory itself; of packed bytes, the memory in which their items lie. */
    public static CudaBuffer of(DeviceBuffer buffer) {
        return buffer instanceof PackedBuffer packed ? packed.memory : (CudaBuffer) buffer;
    }

    @Override
    public DeviceBuffer packed(long place, TypeMap items) {
        return allocation.isReachedByKernels() ? allocation.gpu.packing.packed(this, place, items) : null;
    }

    @Override
    public void read(long at, ByteBuffer target, int targetAt, int length) {
        if (length > 0) {
            allocation.gpu.copies.read(allocation, address + at, target, targetAt, length);
        }
    }

    @Override
    public void write(long at, ByteBuffer source, int sourceAt, int length) {
        if (length > 0) {
            allocation.gpu.copies.write(allocation, address + at, source, sourceAt, length);
        }
    }

    @Override
    public void copy(long at, DeviceBuffer target, long targetAt, long length) {
        if (target instanceof PackedBuffer items) {
            items.fill(targetAt, this, at, length);
        } else if (length > 0) {
            allocation.gpu.copies.copy(allocation, address + at, ((CudaBuffer) target).allocation,
                target.address + targetAt, length);
        }
    }

    @Override
    public boolean isAlive() {
        return allocation.id == Allocation.MAPPED || DeviceMemory.isAlive(allocation);
    }

    @Override
    public String toString() {
        return allocation.kind + " of " + bytes + " bytes on " + allocation.gpu;
    }
}

package org.brigade.transport.cuda.driver;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import org.brigade.memory.NativeMemory;

/**
 * Page-locked host memory, initially zero, that every GPU of the process can access. Needs a current context to be made
 * and freed.
 */
public final class PinnedMemory {
    public final NativeMemory memory;
    /** Address of byte 0 on the host. */
    public final long address;
    /** Address of byte 0 for kernels. */
    public final long deviceAddress;
    private final Pointer pointer;

    /** @throws mpi.MPIException if the system cannot lock more memory */
    public PinnedMemory(int bytes) {
        pointer = new Pointer();
        CudaResult.check(
            JCudaDriver.cuMemHostAlloc(pointer, bytes,
                JCudaDriver.CU_MEMHOSTALLOC_PORTABLE | JCudaDriver.CU_MEMHOSTALLOC_DEVICEMAP),
            "cuMemHostAlloc of " + bytes + " bytes");
        CUdeviceptr device = new CUdeviceptr();
        CudaResult.check(JCudaDriver.cuMemHostGetDevicePointer(device, pointer, 0), "cuMemHostGetDevicePointer");
        address = Addresses.of(pointer);
        deviceAddress = Addresses.of(device);
        ByteBuffer view = pointer.getByteBuffer().order(ByteOrder.nativeOrder());
        memory = new NativeMemory(view);
        for (int at = 0; at + 8 <= bytes; at += 8) {
            memory.putLong(at, 0);
        }
    }

    /** A pointer for driver calls to byte {@code at}. */
    public Pointer at(int at) {
        return Addresses.host(address + at);
    }

    /** Frees the memory; it must be unused. */
    public void free() {
        JCudaDriver.cuMemFreeHost(pointer);
    }
}

package org.brigade.transport.cuda;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaBuffer;
import org.brigade.transport.cuda.driver.HostPointers;

/** The memory of JCuda pointers. Separate from {@link CudaDevices} because it names JCuda's classes. */
final class Pointers {
    private Pointers() {
    }

    /** As {@link org.brigade.device.Devices#underlying}. */
    static Object underlying(CudaDevices devices, Object buffer) {
        if (buffer instanceof CUdeviceptr pointer) {
            return device(devices, Addresses.of(pointer), pointer);
        }
        if (!(buffer instanceof Pointer pointer)) {
            return null;
        }
        Object host = HostPointers.of(pointer);
        if (host != null) {
            return host;
        }
        // Of the runtime API: cudaMalloc's pointers are plain ones.
        long address = Addresses.of(pointer);
        return device(devices, address, Addresses.device(address));
    }

    /** As {@link org.brigade.device.Devices#isStill}. */
    static boolean isStill(Object buffer, CudaBuffer memory) {
        return buffer instanceof Pointer pointer && Addresses.of(pointer) == memory.address
            && (pointer instanceof CUdeviceptr || HostPointers.of(pointer) == null) && memory.isStillThere();
    }

    private static CudaBuffer device(CudaDevices devices, long address, CUdeviceptr pointer) {
        if (address == 0) {
            throw new IllegalArgumentException(
                "is a null pointer of JCuda; allocate its memory with cuMemAlloc or cudaMalloc first");
        }
        return devices.memory().at(address, pointer);
    }
}

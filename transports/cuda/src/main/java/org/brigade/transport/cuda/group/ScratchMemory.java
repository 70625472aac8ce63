package org.brigade.transport.cuda.group;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;

/**
 * The device memory of one group into which its members write (call.cuh has the layout, {@link Numberings} what may
 * follow). {@link GroupEnd} knows when it may be freed. It is not reused for another group, which might take its last
 * words for its own.
 */
final class ScratchMemory {
    final long address;
    private final CUdeviceptr pointer = new CUdeviceptr();

    /**
     * Allocates so many zeros, which are visible when this returns. Needs the GPU's context current.
     *
     * @throws mpi.MPIException if there is too little memory
     */
    ScratchMemory(Gpu gpu, long bytes) {
        CudaResult.check(JCudaDriver.cuMemAlloc(pointer, bytes),
            "cuMemAlloc of " + (bytes >> 20) + " MiB of scratch memory on " + gpu);
        address = Addresses.of(pointer);
        int result = JCudaDriver.cuMemsetD8(pointer, (byte) 0, bytes);
        if (result == 0) {
            result = JCudaDriver.cuCtxSynchronize();
        }
        if (result != 0) {
            JCudaDriver.cuMemFree(pointer);
            throw CudaResult.failure(result, "cuMemsetD8");
        }
    }

    /** Needs the context current; no member may write into it any more. */
    void free() {
        JCudaDriver.cuMemFree(pointer);
    }
}

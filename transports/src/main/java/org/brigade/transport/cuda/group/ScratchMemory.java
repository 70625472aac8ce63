package org.brigade.transport.cuda.group;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.kernel.KernelOrders;

/**
 * The device memory of one group that its members write into (call.cuh has the layout, {@link KernelOrders} what may
 * follow). {@link GroupEnd} knows when it may be freed; it is not used for another group, for whose words the last ones
 * of this might be taken.
 */
final class ScratchMemory {
    final long address;
    private final CUdeviceptr pointer = new CUdeviceptr();

    /**
     * So many zeros, which are there when this returns. With the GPU's context current.
     *
     * @throws mpi.MPIException if there is not so much
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

    /** With the context current, when nobody writes into it any more. */
    void free() {
        JCudaDriver.cuMemFree(pointer);
    }
}

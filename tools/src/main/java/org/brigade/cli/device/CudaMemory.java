package org.brigade.cli.device;

import java.nio.ByteBuffer;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.transport.cuda.driver.CudaResult;

/**
 * Device memory as a user of JCuda has it: {@link #select} a GPU, allocate, and pass {@link #at} to the calls. For the
 * benchmark and the verifier, which are programs like a user's.
 */
public final class CudaMemory implements TrialMemory {
    private final CUdeviceptr start = new CUdeviceptr();
    private final long bytes;

    private CudaMemory(long bytes) {
        this.bytes = bytes;
    }

    /**
     * Makes the primary context of a GPU the calling thread's.
     *
     * @throws IllegalStateException if there is no GPU; says what is missing
     */
    public static void select(int ordinal) {
        String missing = CudaDriver.missing();
        if (missing != null) {
            throw new IllegalStateException("no device memory: " + missing);
        }
        CUdevice device = new CUdevice();
        CUcontext context = new CUcontext();
        CudaResult.check(JCudaDriver.cuDeviceGet(device, ordinal), "cuDeviceGet");
        CudaResult.check(JCudaDriver.cuDevicePrimaryCtxRetain(context, device), "cuDevicePrimaryCtxRetain");
        CudaResult.check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
    }

    /** Memory of the selected GPU. @throws mpi.MPIException if there is too little left */
    public static CudaMemory allocate(long bytes) {
        CudaMemory memory = new CudaMemory(bytes);
        CudaResult.check(JCudaDriver.cuMemAlloc(memory.start, Math.max(1, bytes)), "cuMemAlloc of " + bytes + " bytes");
        return memory;
    }

    @Override
    public Object at(long offset) {
        return start.withByteOffset(offset);
    }

    @Override
    public void write(long offset, ByteBuffer source) {
        if (source.hasRemaining()) {
            CudaResult.check(
                JCudaDriver.cuMemcpyHtoD(start.withByteOffset(offset), Pointer.to(source.slice()), source.remaining()),
                "cuMemcpyHtoD");
        }
    }

    @Override
    public void read(long offset, ByteBuffer target) {
        if (target.hasRemaining()) {
            CudaResult.check(
                JCudaDriver.cuMemcpyDtoH(Pointer.to(target.slice()), start.withByteOffset(offset), target.remaining()),
                "cuMemcpyDtoH");
        }
    }

    @Override
    public void fill(byte value) {
        CudaResult.check(JCudaDriver.cuMemsetD8(start, value, Math.max(1, bytes)), "cuMemsetD8");
        CudaResult.check(JCudaDriver.cuCtxSynchronize(), "cuCtxSynchronize");
    }

    @Override
    public void close() {
        JCudaDriver.cuMemFree(start);
    }
}

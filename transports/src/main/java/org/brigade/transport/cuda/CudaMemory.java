package org.brigade.transport.cuda;

import java.nio.ByteBuffer;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/**
 * Device memory as a user of JCuda has it: {@link #select} a GPU, allocate, and pass {@link #at} to the calls. For the benchmark and the check of the results, which are programs
 * like a user's.
 */
public final class CudaMemory implements AutoCloseable {
    private final CUdeviceptr start = new CUdeviceptr();
    private final long bytes;

    private CudaMemory(long bytes) {
        this.bytes = bytes;
    }

    /**
     * Makes the primary context of a GPU the calling thread's.
     *
     * @throws IllegalStateException saying what is missing
     */
    public static void select(int ordinal) {
        String missing = CudaDriver.missing();
        if (missing != null) {
            throw new IllegalStateException("no device memory: " + missing);
        }
        CUdevice device = new CUdevice();
        CUcontext context = new CUcontext();
        check("cuDeviceGet", JCudaDriver.cuDeviceGet(device, ordinal));
        check("cuDevicePrimaryCtxRetain", JCudaDriver.cuDevicePrimaryCtxRetain(context, device));
        check("cuCtxSetCurrent", JCudaDriver.cuCtxSetCurrent(context));
    }

    /** Memory of the selected GPU. @throws IllegalStateException if it has not so much left */
    public static CudaMemory allocate(long bytes) {
        CudaMemory memory = new CudaMemory(bytes);
        check("cuMemAlloc of " + bytes + " bytes", JCudaDriver.cuMemAlloc(memory.start, Math.max(1, bytes)));
        return memory;
    }

    /** What an MPI call takes: the pointer to byte {@code offset}. */
    public Object at(long offset) {
        return start.withByteOffset(offset);
    }

    public long bytes() {
        return bytes;
    }

    /** Copies a direct buffer's bytes, from its position to its limit, to byte {@code offset} and behind. */
    public void write(long offset, ByteBuffer source) {
        if (source.hasRemaining()) {
            check("cuMemcpyHtoD", JCudaDriver.cuMemcpyHtoD(start.withByteOffset(offset), Pointer.to(source.slice()), source.remaining()));
        }
    }

    /** Fills a direct buffer, from its position to its limit, with the bytes from {@code offset} on. */
    public void read(long offset, ByteBuffer target) {
        if (target.hasRemaining()) {
            check("cuMemcpyDtoH", JCudaDriver.cuMemcpyDtoH(Pointer.to(target.slice()), start.withByteOffset(offset), target.remaining()));
        }
    }

    /** Sets all bytes to one value; done when this returns. */
    public void fill(byte value) {
        check("cuMemsetD8", JCudaDriver.cuMemsetD8(start, value, Math.max(1, bytes)));
        check("cuCtxSynchronize", JCudaDriver.cuCtxSynchronize());
    }

    @Override
    public void close() {
        JCudaDriver.cuMemFree(start);
    }

    private static void check(String call, int result) {
        if (result != CUresult.CUDA_SUCCESS) {
            throw new IllegalStateException(call + ": the driver answers " + CUresult.stringFor(result) + "; see what nvidia-smi says");
        }
    }
}

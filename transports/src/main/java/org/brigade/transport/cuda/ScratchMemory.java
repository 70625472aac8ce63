package org.brigade.transport.cuda;

import java.util.ArrayDeque;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

/**
 * The device memory of one group that its members write into (call.cuh has the layout, {@link Numberings} what may follow). When a group ends, a member that is a little behind may still be
 * writing its last words there, so the memory is kept for a while before it is freed; it is not used for another group, whose words they might be taken for.
 */
final class ScratchMemory {
    private static final long KEPT_NANOS = 1_000_000_000L;
    private static final ArrayDeque<ScratchMemory> LEFT = new ArrayDeque<>();

    final long address;
    private final Gpu gpu;
    private final CUdeviceptr pointer = new CUdeviceptr();
    private long leftAt;

    /**
     * So many zeros, which are there when this returns. With the GPU's context current.
     *
     * @throws mpi.MPIException if there is not so much
     */
    ScratchMemory(Gpu gpu, long bytes) {
        this.gpu = gpu;
        freeOld();
        CudaResult.check(JCudaDriver.cuMemAlloc(pointer, bytes), "cuMemAlloc of " + (bytes >> 20) + " MiB of scratch memory on " + gpu);
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

    /** Leaves the memory to be freed. */
    void leave() {
        synchronized (LEFT) {
            leftAt = System.nanoTime();
            LEFT.add(this);
        }
        freeOld();
    }

    private void free() {
        try {
            gpu.enter();
            try {
                JCudaDriver.cuMemFree(pointer);
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException e) {
            // The context is gone, and all that was in it.
        }
    }

    private static void freeOld() {
        free(KEPT_NANOS);
    }

    /** When nobody writes any more. */
    static void freeAll() {
        free(-1);
    }

    private static void free(long keptNanos) {
        synchronized (LEFT) {
            while (!LEFT.isEmpty() && System.nanoTime() - LEFT.peek().leftAt > keptNanos) {
                ScratchMemory old = LEFT.remove();
                old.free();
            }
        }
    }
}

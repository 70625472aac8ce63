package org.brigade.transport.cuda.driver;

import java.util.Arrays;
import java.util.function.Function;
import jcuda.CudaException;
import jcuda.driver.CUdevice;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** The GPUs of this process that have been used so far. */
public final class Gpus {
    private final Gpu[] used = new Gpu[CudaDriver.devices()];
    private final Function<Gpu, Packing> packings;

    /** @param packings makes the packing of each GPU, when the GPU is first used */
    public Gpus(Function<Gpu, Packing> packings) {
        this.packings = packings;
    }

    /**
     * The GPU of this ordinal.
     *
     * @throws mpi.MPIException if it cannot be used
     */
    public synchronized Gpu get(int ordinal) {
        if (used[ordinal] == null) {
            try {
                Gpu gpu = new Gpu(ordinal);
                gpu.packing = packings.apply(gpu);
                used[ordinal] = gpu;
            } catch (CudaException e) {
                throw CudaResult.told(e);
            }
        }
        return used[ordinal];
    }

    /** Frees what GPUs keep between calls; nothing is under way on them. Never throws. */
    public synchronized void end() {
        for (Gpu gpu : used) {
            if (gpu != null) {
                gpu.end();
            }
        }
    }

    /** Any GPU used so far; null if there is none. */
    public synchronized Gpu any() {
        for (Gpu gpu : used) {
            if (gpu != null) {
                return gpu;
            }
        }
        return null;
    }

    /** The GPU with this id if this process has used it; else null. */
    public synchronized Gpu withUuid(byte[] uuid) {
        for (Gpu gpu : used) {
            if (gpu != null && Arrays.equals(gpu.uuid, uuid)) {
                return gpu;
            }
        }
        return null;
    }

    /** The GPU of the context that is current in this thread; -1 if there is none. */
    public static int current() {
        CUdevice device = new CUdevice();
        try {
            return JCudaDriver.cuCtxGetDevice(device) == CUresult.CUDA_SUCCESS ? (int) Addresses.of(device) : -1;
        } catch (RuntimeException e) {
            return -1; // JCuda's exceptions are on
        }
    }
}

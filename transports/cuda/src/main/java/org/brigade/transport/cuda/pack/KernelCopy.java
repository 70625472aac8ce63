package org.brigade.transport.cuda.pack;

import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.MPIException;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.kernel.Kernels;
import org.brigade.transport.cuda.kernel.Kernels.Kernel;

/**
 * Copies by a kernel of one GPU, as collectives move their data, and not by its copy engines. The kernel is that which
 * packs items; the bytes are one item without gaps.
 */
public final class KernelCopy {
    private static final int THREADS = 256;
    private static final int WIDEST = 16;

    private final Gpu gpu;
    private final Kernel kernel;
    private final PackArguments arguments;

    /**
     * Needs the GPU's context current.
     *
     * @throws MPIException if the GPU cannot run Brigade's kernels
     */
    public KernelCopy(Gpu gpu) {
        this.gpu = gpu;
        this.kernel = Kernels.of(gpu).packing("gather");
        this.arguments = new PackArguments();
    }

    /**
     * Begins a copy between addresses that the GPU can use: its own memory's, a peer's as mapped here, or page-locked
     * host memory's. Needs the GPU's context current; one thread at a time. One block on each multiprocessor leaves
     * room for the copies that run beside it on other streams.
     *
     * @param bytes more than 0
     */
    public void begin(long target, long source, long bytes, CUstream stream) {
        int width = (int) Long.lowestOneBit(target | source | bytes | WIDEST);
        arguments.putLong(PackArguments.MEMORY, source);
        arguments.putLong(PackArguments.PACKED, target);
        arguments.putLong(PackArguments.RUNS, 0);
        arguments.putLong(PackArguments.FROM, 0);
        arguments.putLong(PackArguments.BYTES, bytes);
        arguments.putLong(PackArguments.ITEM, bytes);
        arguments.putLong(PackArguments.STEP, bytes);
        arguments.putLong(PackArguments.AT, 0);
        arguments.putLong(PackArguments.STRIDE, bytes);
        arguments.putLong(PackArguments.LENGTH, bytes);
        arguments.putInt(PackArguments.NUMBER, 1);
        arguments.putInt(PackArguments.WIDTH, width);
        CudaResult.check(JCudaDriver.cuLaunchKernel(kernel.function, gpu.multiprocessors, 1, 1,
            Math.min(THREADS, kernel.mostThreads), 1, 1, 0, stream, arguments.parameters(), null),
            "launching " + kernel.name + " on " + gpu);
    }
}

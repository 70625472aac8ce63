package org.brigade.transport.cuda.driver;

import jcuda.driver.CUcontext;
import jcuda.driver.JCudaDriver;

/** One live allocation of device memory of this process, as the driver describes it. */
public final class Allocation {
    public final long base;
    public final long bytes;
    /** Unique in this process's life: another allocation at the same address has another. */
    public final long id;
    public final Gpu gpu;
    /** Null where the memory belongs to the GPU's primary context. */
    public final CUcontext foreign;
    /**
     * Whether CUDA IPC may export it: not memory of pools, of the VMM calls, managed memory, or that of a context that
     * is not the primary one.
     */
    public final boolean exportable;
    /** Managed and page-locked memory is device memory here, too; said in messages. */
    final String kind;

    /** Who has offered it to other processes, and its number there; owned by whoever that is. */
    public Object exports;
    public long export;

    public Allocation(long base, long bytes, long id, Gpu gpu, CUcontext foreign, boolean exportable, String kind) {
        this.base = base;
        this.bytes = bytes;
        this.id = id;
        this.gpu = gpu;
        this.foreign = foreign;
        this.exportable = exportable;
        this.kind = kind;
    }

    boolean contains(long address) {
        return address >= base && address - base < bytes;
    }

    /** Makes the allocation's context current for this thread; {@link Gpu#leave} gives back the one before. */
    public void enter() {
        if (foreign == null) {
            gpu.enter();
        } else {
            CudaResult.check(JCudaDriver.cuCtxPushCurrent(foreign),
                "cuCtxPushCurrent of the context that the memory on " + gpu + " was allocated in");
        }
    }
}

package org.brigade.transport.cuda.driver;

import jcuda.driver.CUcontext;
import jcuda.driver.JCudaDriver;

/** One live allocation of device memory of this process, as the driver describes it. */
public final class Allocation {
    public final long base;
    public final long bytes;
    /** The {@link #id} of memory of another process, which stays mapped until this process ends that. */
    static final long MAPPED = 0;

    /** Unique in this process's life: a later allocation at the same address has another id. */
    public final long id;
    public final Gpu gpu;
    /** Null if the memory belongs to the GPU's primary context. */
    public final CUcontext foreign;
    /**
     * Whether CUDA IPC can export it: not memory of pools, of the VMM calls, managed memory, or that of another context
     * than the primary one.
     */
    public final boolean exportable;
    /** The kind of memory, for messages: managed and page-locked memory count as device memory here. */
    final String kind;

    /** The table that has exported it to other processes, and its number there; owned by that table. */
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

    /** Whether the kernels of a process that packs may use its addresses as they are. */
    boolean isReachedByKernels() {
        return foreign == null && kind != DeviceMemory.HOST && gpu.packing != null;
    }

    boolean contains(long address) {
        return address >= base && address - base < bytes;
    }

    /** Makes the allocation's context current for this thread; {@link Gpu#leave} restores the previous one. */
    public void enter() {
        if (foreign == null) {
            gpu.enter();
        } else {
            CudaResult.check(JCudaDriver.cuCtxPushCurrent(foreign),
                "cuCtxPushCurrent of the context that the memory on " + gpu + " was allocated in");
        }
    }
}

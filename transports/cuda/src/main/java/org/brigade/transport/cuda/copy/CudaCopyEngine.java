package org.brigade.transport.cuda.copy;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.device.CopyQueue;
import org.brigade.device.DeviceRange;
import org.brigade.memory.NativeMemory;
import org.brigade.select.Settings;
import org.brigade.transport.Endpoint;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.Allocation;
import org.brigade.transport.cuda.driver.CudaBuffer;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.DeviceMemory;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.driver.Gpus;
import org.brigade.transport.cuda.ipc.SharedAllocations;

/** The copy engines of this process's GPUs; reaches the peers' memory by CUDA IPC. Under the progress lock. */
public final class CudaCopyEngine implements CopyEngine {
    private static final int MOST_REFUSED = 4096;
    /** More than any adapter requires. */
    private static final int ALIGNMENT = 64 << 10;

    /**
     * {@code brigade.cuda.hostshare}. No share by default: what pays depends on the machine. Between two H200s a tenth
     * brought 416 GB/s instead of 363; between two H100s it took 322 us instead of 215 for 64 MiB, and more for more.
     */
    private final int share = (int) Settings.ofThisProcess().number("cuda.hostshare", 0);
    private final DeviceMemory allocations;
    private final Function<Endpoint, SharedAllocations> sharing;
    private final Gpus gpus;
    /**
     * Peers' allocations that could not be mapped, by peer and number: asking the driver each time takes longer than
     * the message.
     */
    private final Set<Refused> refused = new HashSet<>();

    private final long idleNanos = ShortCopies.idleNanos();
    /** By ordinal; null where there are none yet, or none can be made. */
    private volatile ShortCopies[] shorts = new ShortCopies[0];
    /**
     * By ordinal: GPUs without short copies, for good. A kernel that stays would take turns with other ranks' there.
     */
    private final BitSet withoutShorts = new BitSet();
    /** The peer and the allocation that {@link #map} has looked at last. */
    private int lastPeer = -1;
    private long lastExport;

    private record Refused(Endpoint endpoint, int peer, long export, int ordinal) {
    }

    /** @param sharing the allocations that an endpoint's ranks have exported to each other; null without boards */
    public CudaCopyEngine(DeviceMemory allocations, Function<Endpoint, SharedAllocations> sharing, Gpus gpus) {
        this.allocations = allocations;
        this.sharing = sharing;
        this.gpus = gpus;
    }

    @Override
    public void pin(NativeMemory memory) {
        register(memory, true);
    }

    @Override
    public void unpin(NativeMemory memory) {
        register(memory, false);
    }

    private void register(NativeMemory memory, boolean pinned) {
        Gpu gpu = gpus.any();
        if (gpu == null) {
            return;
        }
        try {
            gpu.enter();
            try {
                if (pinned) {
                    JCudaDriver.cuMemHostRegister(Pointer.to(memory.bytes), memory.capacity(),
                        JCudaDriver.CU_MEMHOSTREGISTER_PORTABLE);
                } else {
                    JCudaDriver.cuMemHostUnregister(Pointer.to(memory.bytes));
                }
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException refused) {
            // Not allowed (the limit of locked memory), or already done for another link: the driver then uses a bounce
            // buffer of
            // its own.
        }
    }

    @Override
    public DeviceRange range(DeviceBuffer buffer) {
        if (!buffer.isContiguous()) {
            return null;
        }
        Allocation allocation = ((CudaBuffer) buffer).allocation;
        // Adapters can use the same memory that IPC can export: memory of cuMemAlloc, of the primary context.
        return allocation.foreign != null || !allocation.exportable ? null
            : new DeviceRange(allocation.id, allocation.base, allocation.bytes, allocation.gpu.ordinal);
    }

    @Override
    public DeviceBuffer allocate(long bytes, DeviceBuffer beside) {
        Gpu gpu = CudaBuffer.of(beside).allocation.gpu;
        CUdeviceptr made = new CUdeviceptr();
        gpu.enter();
        try {
            CudaResult.check(JCudaDriver.cuMemAlloc(made, bytes + ALIGNMENT), "cuMemAlloc on " + gpu);
            long at = Addresses.of(made) + ALIGNMENT - 1 & -ALIGNMENT;
            return allocations.at(at, Addresses.device(at));
        } catch (RuntimeException none) {
            return null;
        } finally {
            gpu.leave();
        }
    }

    @Override
    public void free(DeviceBuffer memory) {
        Allocation allocation = ((CudaBuffer) memory).allocation;
        try {
            allocation.gpu.enter();
            try {
                JCudaDriver.cuMemFree(Addresses.device(allocation.base));
            } finally {
                allocation.gpu.leave();
            }
        } catch (RuntimeException gone) {
            // The context is gone, and everything in it.
        }
    }

    @Override
    public long map(Endpoint endpoint, int peer, long export, long offset, DeviceBuffer target) {
        Allocation allocation = CudaBuffer.of(target).allocation;
        SharedAllocations shared = allocation.foreign == null ? sharing.apply(endpoint) : null;
        if (shared == null
            || !refused.isEmpty() && refused.contains(new Refused(endpoint, peer, export, allocation.gpu.ordinal))) {
            return 0;
        }
        allocation.gpu.enter();
        try {
            long begin = shared.imports(allocation.gpu).address(peer, export);
            if (begin != 0) {
                if (peer != lastPeer || export != lastExport) {
                    lastPeer = peer;
                    lastExport = export;
                    if (Arrays.equals(shared.imports(allocation.gpu).gpuOf(peer, export), allocation.gpu.uuid)) {
                        withoutShorts(allocation.gpu);
                    }
                }
                return begin + offset;
            }
        } finally {
            allocation.gpu.leave();
        }
        if (refused.size() == MOST_REFUSED) {
            refused.clear();
        }
        refused.add(new Refused(endpoint, peer, export, allocation.gpu.ordinal));
        return 0;
    }

    @Override
    public int hostShare(Endpoint endpoint, int peer, long export, DeviceBuffer target) {
        if (share == 0) {
            return 0;
        }
        Gpu here = CudaBuffer.of(target).allocation.gpu;
        // By the owner's word: the driver says that another process's memory belongs to the GPU that mapped it.
        byte[] there = sharing.apply(endpoint).imports(here).gpuOf(peer, export);
        if (there == null || Arrays.equals(there, here.uuid)) {
            return 0; // its own memory is faster than any link
        }
        try {
            // Over PCIe both paths would share one link.
            return here.isLinkedTo(there) ? share : 0;
        } catch (RuntimeException unknown) {
            return 0;
        }
    }

    @Override
    public void enter(DeviceBuffer buffer) {
        ((CudaBuffer) buffer).allocation.enter();
    }

    @Override
    public void leave() {
        JCudaDriver.cuCtxPopCurrent(new CUcontext());
    }

    @Override
    public CopyQueue queue() {
        return new CudaCopyQueue(this);
    }

    /** A GPU's short copies; null if it has none. */
    ShortCopies shorts(Gpu gpu) {
        ShortCopies[] known = shorts;
        return gpu.ordinal < known.length && known[gpu.ordinal] != null ? known[gpu.ordinal] : firstShorts(gpu);
    }

    private synchronized ShortCopies firstShorts(Gpu gpu) {
        if (idleNanos == 0 || withoutShorts.get(gpu.ordinal)) {
            return null;
        }
        ShortCopies[] more = Arrays.copyOf(shorts, Math.max(shorts.length, gpu.ordinal + 1));
        if (more[gpu.ordinal] == null) {
            gpu.enter();
            try {
                more[gpu.ordinal] = new ShortCopies(gpu, idleNanos);
            } catch (RuntimeException none) {
                withoutShorts.set(gpu.ordinal); // the copy engine serves all
            } finally {
                gpu.leave();
            }
            shorts = more;
        }
        return more[gpu.ordinal];
    }

    private synchronized void withoutShorts(Gpu gpu) {
        withoutShorts.set(gpu.ordinal);
        if (gpu.ordinal < shorts.length && shorts[gpu.ordinal] != null) {
            shorts[gpu.ordinal].retire();
        }
    }

    /** Frees what it keeps between messages; none is under way. It is made again where it is needed. Never throws. */
    public synchronized void end() {
        for (ShortCopies each : shorts) {
            if (each != null) {
                each.end();
            }
        }
        shorts = new ShortCopies[0];
    }
}

package org.brigade.transport.cuda;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import mpi.spi.DeviceBuffer;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout;
import org.brigade.device.CopyEngine;
import org.brigade.device.DeviceGroup;
import org.brigade.device.DeviceMapping;
import org.brigade.device.Devices;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.transport.Endpoint;
import org.brigade.transport.cuda.copy.CudaCopyEngine;
import org.brigade.transport.cuda.driver.CudaBuffer;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.transport.cuda.driver.CudaInventory;
import org.brigade.transport.cuda.driver.DeviceMemory;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.driver.Gpus;
import org.brigade.transport.cuda.group.GroupEnd;
import org.brigade.transport.cuda.group.GroupOpening;
import org.brigade.transport.cuda.ipc.AllocationCard;
import org.brigade.transport.cuda.ipc.SharedAllocations;
import org.brigade.transport.cuda.kernel.KernelType;
import org.brigade.transport.cuda.kernel.Kernels;
import org.brigade.transport.cuda.pack.Packer;

/**
 * The NVIDIA GPUs of this process, through the user's JCuda. Loaded by name on first use. Names no class of JCuda
 * itself, so that it can be loaded without JCuda and say what is missing.
 */
public final class CudaDevices implements Devices {
    /** The parts that need JCuda and a driver, started at the first pointer to device memory. */
    private static final class Started {
        final Gpus gpus = new Gpus(Packer::new);
        final DeviceMemory memory = new DeviceMemory(gpus);
        final Map<Endpoint, SharedAllocations> shared = new IdentityHashMap<>();
        /** Of these, the one that was asked for last; null if there is none. */
        volatile SharedAllocations recent;
        final CudaCopyEngine copies;
        /** Whether nothing of the endpoint that ended last runs any more. */
        boolean quiet;

        Started(CudaDevices devices) {
            copies = new CudaCopyEngine(memory, devices::shared, gpus);
        }
    }

    private final boolean jcuda = isThere("jcuda.Pointer");
    private volatile Started started;

    private static boolean isThere(String name) {
        try {
            Class.forName(name, false, CudaDevices.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    @Override
    public Object underlying(Object buffer) {
        // Without JCuda on our class path the object may still be one of its pointers, from another class loader.
        if (!jcuda) {
            if (buffer != null && buffer.getClass().getName().startsWith("jcuda.")) {
                throw new IllegalArgumentException("is a " + buffer.getClass().getName()
                    + ", but Brigade cannot see JCuda: put jcuda.jar beside brigade.jar or on the same class path");
            }
            return null;
        }
        return Pointers.underlying(this, buffer);
    }

    @Override
    public boolean isStill(Object pointer, DeviceBuffer memory) {
        return memory instanceof CudaBuffer there && Pointers.isStill(pointer, there);
    }

    @Override
    public boolean reduces(TypeLayout type, Operator operator) {
        return KernelType.reduces(type, operator);
    }

    /** @throws IllegalArgumentException if there is no driver or no GPU; the message has the cure */
    DeviceMemory memory() {
        return start().memory;
    }

    /**
     * The GPU of the context that is current in this thread.
     *
     * @throws IllegalArgumentException if there is none; the message has the cure
     */
    public Gpu currentGpu() {
        Gpus gpus = start().gpus;
        int ordinal = Gpus.current();
        if (ordinal < 0) {
            throw new IllegalArgumentException(
                "no CUDA context is current in this thread; make the primary context of a GPU current first"
                    + " (cuDevicePrimaryCtxRetain, cuCtxSetCurrent)");
        }
        return gpus.get(ordinal);
    }

    public Gpus gpus() {
        return start().gpus;
    }

    private Started start() {
        Started now = started;
        if (now == null) {
            String missing = CudaDriver.missing();
            if (missing != null) {
                throw new IllegalArgumentException(
                    "is a pointer to device memory, but CUDA is not available: " + missing);
            }
            synchronized (this) {
                now = started;
                if (now == null) {
                    now = new Started(this);
                    started = now;
                }
            }
        }
        return now;
    }

    @Override
    public long export(Endpoint endpoint, DeviceBuffer buffer) {
        SharedAllocations shared = buffer.isContiguous() ? shared(endpoint) : null;
        return shared == null ? UNREACHABLE : shared.exports().offer(((CudaBuffer) buffer).allocation);
    }

    @Override
    public long offset(DeviceBuffer buffer) {
        return ((CudaBuffer) buffer).offset();
    }

    @Override
    public long[] card(DeviceBuffer buffer) {
        return AllocationCard.of((CudaBuffer) buffer);
    }

    @Override
    public DeviceMapping map(long[] card, DeviceBuffer beside) {
        if (!jcuda || CudaDriver.missing() != null) {
            return null;
        }
        Started now = start();
        return AllocationCard.map(now.gpus, now.memory, card, (CudaBuffer) beside);
    }

    @Override
    public DeviceGroup open(Endpoint endpoint, int[] members, int rank, DeviceBuffer buffer, CommunicatorTopology wires,
        Exchange exchange) {
        return GroupOpening.open(start().gpus, shared(endpoint), endpoint, members, rank,
            ((CudaBuffer) buffer).allocation.gpu, wires, exchange);
    }

    @Override
    public String name(DeviceBuffer buffer) {
        return CudaInventory.busId(((CudaBuffer) buffer).allocation.gpu.ordinal);
    }

    @Override
    public CopyEngine copies() {
        return jcuda && CudaDriver.missing() == null ? start().copies : null;
    }

    @Override
    public void leave(Endpoint endpoint) {
        Started now = started;
        SharedAllocations shared = now == null ? null : shared(endpoint);
        if (shared != null) {
            shared.close();
        }
    }

    @Override
    public void end(Endpoint endpoint) {
        Started now = started;
        if (now == null) {
            return;
        }
        boolean quiet = GroupEnd.last(endpoint);
        synchronized (now.shared) {
            now.shared.remove(endpoint.withinNode());
            now.recent = null;
            now.quiet = quiet;
        }
    }

    @Override
    public void free() {
        Started now = started;
        if (now == null) {
            return;
        }
        synchronized (now.shared) {
            if (now.quiet && now.shared.isEmpty()) { // else other ranks of this process go on
                now.copies.end();
                now.gpus.end();
                Kernels.unload();
            }
        }
    }

    /** Null if the endpoint has no boards. */
    SharedAllocations shared(Endpoint endpoint) {
        Started now = start();
        Endpoint within = endpoint.withinNode(); // its links ask with this one
        SharedAllocations recent = now.recent;
        if (recent != null && recent.isOf(within)) {
            return recent;
        }
        Map<Endpoint, SharedAllocations> all = now.shared;
        synchronized (all) {
            SharedAllocations shared = all.get(within);
            if (shared == null && endpoint.board(endpoint.rank()) != null) {
                shared = new SharedAllocations(endpoint);
                all.put(within, shared);
            }
            now.recent = shared;
            return shared;
        }
    }

    @Override
    public List<String> describe() {
        List<String> lines = new ArrayList<>();
        int gpus = CudaDriver.devices();
        for (int gpu = 0; gpu < gpus; gpu++) {
            lines.add("GPU " + gpu + ": " + CudaDriver.describe(gpu) + CudaInventory.identity(gpu));
        }
        for (int gpu = 0; gpu < gpus; gpu++) {
            for (int peer = gpu + 1; peer < gpus; peer++) {
                lines.add("GPU " + gpu + " - " + peer + ": " + CudaInventory.link(gpu, peer));
            }
        }
        return lines;
    }
}

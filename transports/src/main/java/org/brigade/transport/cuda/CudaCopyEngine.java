package org.brigade.transport.cuda;

import java.util.HashSet;
import java.util.Set;
import jcuda.Pointer;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_P2PAttribute;
import jcuda.driver.CUpointer_attribute;
import jcuda.driver.JCudaDriver;
import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.device.CopyQueue;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;

/** The copy engines of this process's GPUs, and CUDA IPC as the way to the peers' memory. Under the progress lock. */
final class CudaCopyEngine implements CopyEngine {
    /** What gave the most for one copy between two GPUs that have NVLink between them and PCIe 5 to the host; at 12 percent all was slower than without. */
    private static final int NVLINK_SHARE = 10;
    private static final int MOST_REFUSED = 4096;

    /** {@code brigade.cuda.hostshare}; null where the user leaves it to us. */
    private final Integer wish = Integer.getInteger("brigade.cuda.hostshare");
    private final CudaDevices devices;
    private final Gpus gpus;
    /** Peers' offers that could not be mapped, by peer and number: asking the driver each time takes longer than the message. */
    private final Set<Refused> refused = new HashSet<>();

    private record Refused(Endpoint endpoint, int peer, long export, int ordinal) {
    }

    CudaCopyEngine(CudaDevices devices, Gpus gpus) {
        this.devices = devices;
        this.gpus = gpus;
    }

    @Override
    public void pin(NativeMemory memory) {
        Gpu gpu = gpus.any();
        if (gpu == null) {
            return;
        }
        try {
            gpu.enter();
            try {
                JCudaDriver.cuMemHostRegister(Pointer.to(memory.bytes), memory.capacity(), JCudaDriver.CU_MEMHOSTREGISTER_PORTABLE);
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException refused) {
            // Not allowed (the limit of locked memory), or done already for another link: the driver then bounces these copies itself.
        }
    }

    @Override
    public long map(Endpoint endpoint, int peer, long export, long offset, DeviceBuffer target) {
        Allocation allocation = ((CudaBuffer) target).allocation;
        SharedAllocations shared = allocation.foreign == null ? devices.shared(endpoint) : null;
        if (shared == null || !refused.isEmpty() && refused.contains(new Refused(endpoint, peer, export, allocation.gpu.ordinal))) {
            return 0;
        }
        allocation.gpu.enter();
        try {
            long begin = shared.imports(allocation.gpu).address(peer, export);
            if (begin != 0) {
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
    public int hostShare(long mapped, DeviceBuffer target) {
        Gpu here = ((CudaBuffer) target).allocation.gpu;
        PointerQuery query = PointerQuery.ofThread();
        int there = (int) query.ask(CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, Addresses.device(mapped));
        if (!query.answered() || there < 0 || there == here.ordinal) {
            return 0; // a GPU that we cannot see, or the same one, whose own memory is faster than any link
        }
        if (wish != null) {
            return wish;
        }
        // Of the links between GPUs only NVLink carries atomic operations. Over PCIe both ways would share one link.
        int[] atomics = new int[1];
        CUdevice device = new CUdevice();
        try {
            CudaResult.check(JCudaDriver.cuDeviceGet(device, there), "cuDeviceGet");
            CudaResult.check(JCudaDriver.cuDeviceGetP2PAttribute(atomics, CUdevice_P2PAttribute.CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED, device, here.device),
                "cuDeviceGetP2PAttribute");
        } catch (RuntimeException unknown) {
            return 0;
        }
        return atomics[0] != 0 ? NVLINK_SHARE : 0;
    }

    @Override
    public CopyQueue queue() {
        return new CudaCopyQueue();
    }
}

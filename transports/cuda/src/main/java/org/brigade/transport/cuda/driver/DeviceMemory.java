package org.brigade.transport.cuda.driver;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import jcuda.CudaException;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUmemorytype;
import jcuda.driver.CUpointer_attribute;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/**
 * Finds the allocations of this process by address. A known address costs one question to the driver (is the allocation
 * there still the known one?) and makes no object. Any thread.
 */
public final class DeviceMemory {
    private static final int RECENT_BITS = 9;
    private static final int MOST_KNOWN = 1024;
    /** A kind of memory. */
    static final String HOST = "page-locked host memory";

    private final Gpus gpus;
    /**
     * Buffers by a hash of their address. Accessed without a lock: what each says of its memory never changes, and a
     * stale one only costs a miss.
     */
    private final CudaBuffer[] recent = new CudaBuffer[1 << RECENT_BITS];
    /** By the driver's buffer id, so that an allocation has one object, whatever addresses in it are used. */
    private final Map<Long, Allocation> known = new HashMap<>();

    public DeviceMemory(Gpus gpus) {
        this.gpus = gpus;
    }

    /**
     * The memory from an address to the end of its allocation.
     *
     * @param pointer the same address as an object
     * @throws IllegalArgumentException if there is no live allocation
     */
    public CudaBuffer at(long address, CUdeviceptr pointer) {
        PointerQuery query = PointerQuery.ofThread();
        long id = query.ask(CUpointer_attribute.CU_POINTER_ATTRIBUTE_BUFFER_ID, pointer);
        if (!query.answered()) {
            throw new IllegalArgumentException("is no address of device memory: " + text(address)
                + " is in no live allocation of this process (" + CUresult.stringFor(query.result())
                + "); pass what cuMemAlloc or cudaMalloc gave, before it is freed");
        }
        int slot = (int) ((address >>> 4) * 0x9E3779B97F4A7C15L >>> 64 - RECENT_BITS);
        CudaBuffer buffer = recent[slot];
        if (buffer == null || buffer.address != address || buffer.allocation.id != id) {
            buffer = new CudaBuffer(allocation(id, address, pointer, query), address);
            recent[slot] = buffer;
        }
        return buffer;
    }

    private synchronized Allocation allocation(long id, long address, CUdeviceptr pointer, PointerQuery query) {
        Allocation allocation = known.get(id);
        if (allocation == null || !allocation.contains(address)) {
            allocation = look(id, address, pointer, query);
            if (known.size() >= MOST_KNOWN) {
                forgetDead(query);
            }
            known.put(id, allocation);
        }
        return allocation;
    }

    /**
     * Memory of another process that was mapped into a GPU's context.
     *
     * @param base where its allocation is mapped
     * @param offset where the memory begins in it
     */
    public static CudaBuffer mapped(long base, long bytes, Gpu gpu, long offset) {
        return new CudaBuffer(
            new Allocation(base, bytes, Allocation.MAPPED, gpu, null, false, "device memory of another process"),
            base + offset);
    }

    /** Whether an allocation has not been freed. */
    public static boolean isAlive(Allocation allocation) {
        PointerQuery query = PointerQuery.ofThread();
        return query.ask(CUpointer_attribute.CU_POINTER_ATTRIBUTE_BUFFER_ID,
            Addresses.device(allocation.base)) == allocation.id && query.answered();
    }

    private void forgetDead(PointerQuery query) {
        for (Iterator<Allocation> each = known.values().iterator(); each.hasNext();) {
            if (!isAlive(each.next())) {
                each.remove();
            }
        }
        if (known.size() >= MOST_KNOWN) {
            known.clear(); // costs new look-ups, and a new export for each allocation used again
        }
    }

    private Allocation look(long id, long address, CUdeviceptr pointer, PointerQuery query) {
        long type = query.ask(CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer) & 0xFFFF_FFFFL;
        boolean managed = (query.ask(CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_MANAGED, pointer) & 0xFF) != 0;
        int ordinal = (int) query.ask(CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, pointer);
        boolean located = query.answered() && ordinal >= 0; // managed memory may have no place yet: -2
        boolean host = type == CUmemorytype.CU_MEMORYTYPE_HOST;
        Gpu gpu = gpus.get(located ? ordinal : 0);

        long owner = query.ask(CUpointer_attribute.CU_POINTER_ATTRIBUTE_CONTEXT, pointer);
        // Memory of pools and of the VMM calls belongs to no context.
        boolean primary = !query.answered() || owner == 0 || owner == gpu.contextHandle;
        CUcontext foreign = primary || host || managed ? null : Addresses.handle(new CUcontext(), owner);
        boolean capable =
            (query.ask(CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, pointer) & 0xFF) != 0;
        // Drivers before 11.3 do not know this question; cuIpcGetMemHandle answers it then.
        boolean exportable = (capable || !query.answered()) && primary && !host && !managed;

        long[] range = range(gpu, foreign, address, pointer, query);
        if (!host) {
            settle(gpu, foreign, pointer);
        }
        String kind = managed ? "managed memory" : host ? HOST : "device memory";
        return new Allocation(range[0], range[1], id, gpu, foreign, exportable, kind);
    }

    /**
     * Makes sure that copies which the user's thread has waited for have ended. The driver lets cuMemcpyHtoD return
     * while the last bytes are still on their way, and cuMemset at once. Its later calls on the default stream are
     * ordered after them, but our streams and the peers' are not. From now on such calls wait for this memory; earlier
     * ones are waited for here, once.
     *
     * <p>
     * The program may be capturing a stream, so this thread is relaxed meanwhile. No thread may wait for the default
     * stream while a stream that blocks it is captured. Then nothing is waited for: what is captured runs later.
     */
    private static void settle(Gpu gpu, CUcontext foreign, CUdeviceptr pointer) {
        if (JCudaDriver.cuCtxPushCurrent(foreign != null ? foreign : gpu.context) != CUresult.CUDA_SUCCESS) {
            return;
        }
        try {
            CaptureMode.relaxed(() -> {
                orderCopies(pointer);
                if (JCudaDriver.cuStreamIsCapturing(JCudaDriver.CU_STREAM_LEGACY,
                    new int[1]) == CUresult.CUDA_SUCCESS) {
                    JCudaDriver.cuStreamSynchronize(JCudaDriver.CU_STREAM_LEGACY);
                }
            });
        } catch (CudaException blocked) {
            // The default stream, by a capture.
        } finally {
            gpu.leave();
        }
    }

    /** Memory of pools lacks this attribute. */
    private static void orderCopies(CUdeviceptr pointer) {
        try {
            JCudaDriver.cuPointerSetAttribute(Pointer.to(new int[] {1}),
                CUpointer_attribute.CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, pointer);
        } catch (CudaException refused) {
            // As above.
        }
    }

    /** The allocation's address and length. */
    private static long[] range(Gpu gpu, CUcontext foreign, long address, CUdeviceptr pointer, PointerQuery query) {
        CUdeviceptr base = new CUdeviceptr();
        long[] bytes = new long[1];
        int result = JCudaDriver.cuCtxPushCurrent(foreign != null ? foreign : gpu.context);
        if (result == CUresult.CUDA_SUCCESS) {
            try {
                result = JCudaDriver.cuMemGetAddressRange(base, bytes, pointer);
            } catch (CudaException e) {
                result = CudaResult.of(e);
            } finally {
                gpu.leave();
            }
        }
        if (result == CUresult.CUDA_SUCCESS) {
            return new long[] {Addresses.of(base), bytes[0]};
        }
        long start = query.ask(CUpointer_attribute.CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, pointer);
        boolean known = query.answered();
        long size = query.ask(CUpointer_attribute.CU_POINTER_ATTRIBUTE_RANGE_SIZE, pointer);
        if (!known || !query.answered()) {
            throw new IllegalArgumentException("is device memory of unknown extent: " + text(address) + " ("
                + CudaResult.describe(result, "cuMemGetAddressRange")
                + "); pass memory of cuMemAlloc or cudaMalloc");
        }
        return new long[] {start, size};
    }

    public static String text(long address) {
        return "0x" + Long.toHexString(address);
    }
}

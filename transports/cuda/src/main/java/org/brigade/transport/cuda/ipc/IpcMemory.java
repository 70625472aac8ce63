package org.brigade.transport.cuda.ipc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import jcuda.CudaException;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUipcMemHandle;
import jcuda.driver.CUipcMem_flags;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.brigade.setting.Setting;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.JCudaFields;

/**
 * CUDA IPC: device memory of one process mapped into another. The context of the memory, or of its user, must be
 * current.
 *
 * <p>
 * An allocation may be opened several times, as a call's buffer and as a window, at one address. The driver counts the
 * openings, but not all its tools do: in compute-sanitizer 2025.3 the first of several closings ends the mapping, and
 * later correct accesses are errors. So all closings happen together, when the mapping is no longer used.
 */
public final class IpcMemory {
    /** How often a mapping has been opened, and how many of these openings have not been closed. */
    private static final class Openings {
        int made;
        int used;
    }

    /** By address, which no two mappings of a process share, whatever their contexts. */
    private static final Map<Long, Openings> OPEN = new HashMap<>();

    /** A number for this process that no other process of the node has, whatever its namespaces. */
    public static final long PROCESS = ofThisProcess();

    private IpcMemory() {
    }

    /** Null if this rank may map the memory of other ranks; else a sentence. */
    public static String forbidden() {
        return "off".equals(Setting.text("cuda.peers", System.getProperties(), System.getenv()))
            ? "brigade.cuda.peers is off there" : null;
    }

    private static long ofThisProcess() {
        long number = new SecureRandom().nextLong();
        return number == 0 ? 1 : number;
    }

    /**
     * Gets the handle of the allocation at an address.
     *
     * @return the driver's result; the handle is valid if it is 0
     */
    public static int export(long base, long[] handle) {
        CUipcMemHandle made = new CUipcMemHandle();
        int result;
        try {
            result = JCudaDriver.cuIpcGetMemHandle(made, Addresses.device(base));
        } catch (CudaException e) {
            return CudaResult.of(e);
        }
        ByteBuffer.wrap(JCudaFields.bytes(made)).order(ByteOrder.nativeOrder()).asLongBuffer().get(handle);
        return result;
    }

    /**
     * Maps another process's allocation into the current context.
     *
     * @param address its element 0 becomes the address here
     * @return the driver's result, or what it would be where GPUs cannot reach each other if this is {@link #forbidden}
     */
    public static synchronized int open(long[] handle, long[] address) {
        if (forbidden() != null) {
            return CUresult.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
        }
        CUipcMemHandle sent = new CUipcMemHandle();
        ByteBuffer.wrap(JCudaFields.bytes(sent)).order(ByteOrder.nativeOrder()).asLongBuffer().put(handle);
        CUdeviceptr mapped = new CUdeviceptr();
        int result;
        try {
            result = JCudaDriver.cuIpcOpenMemHandle(mapped, sent, CUipcMem_flags.CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
        } catch (CudaException e) {
            return CudaResult.of(e);
        }
        address[0] = Addresses.of(mapped);
        if (result == CUresult.CUDA_SUCCESS) {
            Openings openings = OPEN.get(address[0]);
            if (openings == null) {
                openings = new Openings();
                OPEN.put(address[0], openings);
            }
            openings.made++;
            openings.used++;
        }
        return result;
    }

    /** Ends one {@link #open}. Errors are ignored: the mapping is gone, or the context is. */
    public static synchronized void close(long address) {
        Openings openings = OPEN.get(address);
        if (openings == null || --openings.used > 0) {
            return;
        }
        OPEN.remove(address);
        for (int i = 0; i < openings.made; i++) {
            try {
                JCudaDriver.cuIpcCloseMemHandle(Addresses.device(address));
            } catch (CudaException e) {
                // As above.
            }
        }
    }
}

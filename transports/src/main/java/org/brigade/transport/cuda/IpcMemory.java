package org.brigade.transport.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import jcuda.CudaException;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUipcMemHandle;
import jcuda.driver.CUipcMem_flags;
import jcuda.driver.JCudaDriver;

/** CUDA IPC: device memory of one process mapped into another. Calls are made with the context of the memory, or of its user, current. */
final class IpcMemory {
    /** This process: a number that no other one on the node has, whatever namespaces they are in. */
    static final long PROCESS = ofThisProcess();

    private IpcMemory() {
    }

    private static long ofThisProcess() {
        long number = new SecureRandom().nextLong();
        return number == 0 ? 1 : number;
    }

    /**
     * Gets the handle of the allocation at an address.
     *
     * @return the driver's answer; the handle is there if it is 0
     */
    static int export(long base, long[] handle) {
        CUipcMemHandle made = new CUipcMemHandle();
        int result;
        try {
            result = JCudaDriver.cuIpcGetMemHandle(made, Addresses.device(base));
        } catch (CudaException e) {
            return CudaResult.of(e);
        }
        ByteBuffer.wrap(Hidden.bytes(made)).order(ByteOrder.nativeOrder()).asLongBuffer().get(handle);
        return result;
    }

    /**
     * Maps another process's allocation into the current context.
     *
     * @param address its element 0 becomes the address here
     * @return the driver's answer
     */
    static int open(long[] handle, long[] address) {
        CUipcMemHandle sent = new CUipcMemHandle();
        ByteBuffer.wrap(Hidden.bytes(sent)).order(ByteOrder.nativeOrder()).asLongBuffer().put(handle);
        CUdeviceptr mapped = new CUdeviceptr();
        int result;
        try {
            result = JCudaDriver.cuIpcOpenMemHandle(mapped, sent, CUipcMem_flags.CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
        } catch (CudaException e) {
            return CudaResult.of(e);
        }
        address[0] = Addresses.of(mapped);
        return result;
    }

    /** Ends a mapping. An error is no one's concern: the mapping is gone, or the context is. */
    static void close(long address) {
        try {
            JCudaDriver.cuIpcCloseMemHandle(Addresses.device(address));
        } catch (CudaException e) {
            // As above.
        }
    }
}

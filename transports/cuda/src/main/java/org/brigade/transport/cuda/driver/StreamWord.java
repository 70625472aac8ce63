package org.brigade.transport.cuda.driver;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.brigade.memory.NativeMemory;

/**
 * A word in page-locked memory, in a cache line of its own, that a stream writes when it has come so far. To look at it
 * is a load; to ask an event is a call of the driver.
 */
public final class StreamWord {
    private final NativeMemory memory;
    private final int at;
    private final CUdeviceptr device;

    StreamWord(PinnedMemory page, int at) {
        this.memory = page.memory;
        this.at = at;
        device = Addresses.device(page.deviceAddress + at);
    }

    /** The last value written; 0 before the first. */
    public long value() {
        return memory.getLongAcquire(at);
    }

    /** Only while no stream is to write. */
    void clear() {
        memory.putLongRelease(at, 0);
    }

    /** Makes a stream write a value behind all its work so far. Returns the driver's result. */
    public int write(CUstream stream, long value) {
        try {
            return JCudaDriver.cuStreamWriteValue64(stream, device, value, 0);
        } catch (jcuda.CudaException e) {
            return CudaResult.of(e);
        }
    }

    /** Whether drivers of this result know no such words. */
    static boolean isUnknown(int result) {
        return result == CUresult.CUDA_ERROR_NOT_SUPPORTED;
    }
}

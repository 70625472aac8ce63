package org.brigade.transport.cuda;

import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * Keeps the calls of one communicator in order on the device when they come on several streams: where one comes on another stream than the last, that stream waits for it. With the context
 * current.
 */
final class StreamOrder {
    /** CUDA's handle for whatever is the calling thread's own default stream. */
    private static final long PER_THREAD = 2;

    private final CUevent event = new CUevent();
    private CUstream last;
    private long lastHandle;
    /** Whether the event stands behind all of the last call. */
    private boolean marked;

    StreamOrder() {
        CudaResult.check(JCudaDriver.cuEventCreate(event, CUevent_flags.CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    }

    /**
     * A call is about to go to a stream.
     *
     * @param ended whether all kernels of earlier calls have ended
     */
    void begin(CUstream stream, boolean ended) {
        long handle = Addresses.of(stream);
        if (last != null && (handle != lastHandle || handle == PER_THREAD) && !(ended && !marked)) {
            if (!marked) {
                CudaResult.check(JCudaDriver.cuEventRecord(event, last), "cuEventRecord on the stream of the last call (a stream must live until another one is used or the communicator is closed)");
            }
            CudaResult.check(JCudaDriver.cuStreamWaitEvent(stream, event, 0), "cuStreamWaitEvent");
        }
        last = stream;
        lastHandle = handle;
        marked = false;
    }

    /** The call that has just gone to its stream ends with more than a kernel, or on a stream that has no handle of its own. */
    void end(boolean withCopies) {
        if (withCopies || lastHandle == PER_THREAD) {
            CudaResult.check(JCudaDriver.cuEventRecord(event, last), "cuEventRecord");
            marked = true;
        }
    }

    /** The stream of the last call; null before the first. */
    CUstream last() {
        return last;
    }

    void close() {
        JCudaDriver.cuEventDestroy(event);
    }
}

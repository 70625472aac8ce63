package org.brigade.transport.cuda.stream;

import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamCaptureStatus;
import jcuda.driver.JCudaDriver;
import mpi.ErrorClass;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaResult;

/**
 * Keeps the calls of one communicator in order on the device if they come on several streams: a call on another stream
 * than the last call waits for that call. Needs the context current.
 */
final class StreamOrder {
    /** CUDA's handle for the calling thread's own default stream. */
    private static final long PER_THREAD = 2;
    /** No stream's handle. */
    private static final long NONE = -1;
    static final String ON_THE_LAST =
        "on the stream of the last call (a stream must live until StreamCommunicator.check after its last call, until a"
            + " call on another one, or until close)";

    private final int[] status = new int[1];
    private final CUevent event = new CUevent();
    private CUstream last;
    private long lastHandle;
    /** Whether the event is recorded after all of the last call. */
    private boolean marked;

    StreamOrder() {
        CudaResult.check(JCudaDriver.cuEventCreate(event, CUevent_flags.CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    }

    /**
     * A call is about to be put on a stream.
     *
     * @param ended whether all kernels of earlier calls have ended
     */
    void begin(CUstream stream, boolean ended) {
        long handle = Addresses.of(stream);
        if (last != null && (handle != lastHandle || handle == PER_THREAD) && !(ended && !marked)) {
            if (!marked) {
                notCaptured();
                CudaResult.check(JCudaDriver.cuEventRecord(event, last), "cuEventRecord " + ON_THE_LAST);
            }
            CudaResult.check(JCudaDriver.cuStreamWaitEvent(stream, event, 0), "cuStreamWaitEvent");
        }
        last = stream;
        lastHandle = handle;
        marked = false;
    }

    /** The call just put on its stream ends with more than a kernel, or its stream has no handle of its own. */
    void end(boolean withCopies) {
        if (withCopies || lastHandle == PER_THREAD) {
            mark();
        }
    }

    private void mark() {
        CudaResult.check(JCudaDriver.cuEventRecord(event, last), "cuEventRecord");
        marked = true;
    }

    /**
     * From here on the stream of the last call may be destroyed: the next call waits for its present work, even on a
     * stream that has got the same handle.
     */
    void leave() {
        mark();
        lastHandle = NONE;
    }

    /** Whether the last call has ended, as the driver's result; {@code CUDA_ERROR_NOT_READY} if not. */
    int query() {
        return marked ? CudaResult.query(event) : CudaResult.query(last);
    }

    /** Whether no other thread can put work on the stream later: it is the calling thread's own. */
    boolean isPerThread() {
        return lastHandle == PER_THREAD;
    }

    boolean isCapturing(CUstream stream) {
        CudaResult.check(JCudaDriver.cuStreamIsCapturing(stream, status), "cuStreamIsCapturing");
        return status[0] != CUstreamCaptureStatus.CU_STREAM_CAPTURE_STATUS_NONE;
    }

    /** @throws mpi.MPIException if work put on the stream of the last call now would go into a graph */
    void notCaptured() {
        if (isCapturing(last)) {
            throw ErrorClass.OTHER.in("a call on a stream",
                "the stream of the last call is being captured, so the end of that call cannot be told; call"
                    + " StreamCommunicator.check before a capture begins, or end the capture first");
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

package org.brigade.transport.cuda.driver;

import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.JCudaDriver;

/**
 * While a program captures a stream, the driver forbids calls that may wait or allocate, and such a call makes the
 * capture invalid. A relaxed thread may make them.
 */
public final class CaptureMode {
    private CaptureMode() {
    }

    /**
     * Runs this with the calling thread relaxed, and restores the thread's mode.
     *
     * @throws mpi.MPIException if the driver refuses
     */
    public static void relaxed(Runnable action) {
        int[] mode = {CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED};
        CudaResult.check(JCudaDriver.cuThreadExchangeStreamCaptureMode(mode), "cuThreadExchangeStreamCaptureMode");
        try {
            action.run();
        } finally {
            JCudaDriver.cuThreadExchangeStreamCaptureMode(mode);
        }
    }
}

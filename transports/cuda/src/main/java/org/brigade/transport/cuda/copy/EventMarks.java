package org.brigade.transport.cuda.copy;

import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;

/** An event for each mark, for drivers that write no words. */
final class EventMarks implements CopyMarks {
    private static final int FIRST_EVENTS = 8;

    private final Gpu gpu;
    private final CUstream stream;
    /** A ring: the events of {@code running} copies that may still run, from {@code oldest} on. */
    private CUevent[] events = new CUevent[0];
    private int oldest;
    private int running;

    EventMarks(Gpu gpu, CUstream stream) {
        this.gpu = gpu;
        this.stream = stream;
    }

    @Override
    public void put() {
        CudaResult.check(JCudaDriver.cuEventRecord(next(), stream), "cuEventRecord on " + gpu);
        running++;
    }

    private CUevent next() {
        if (running == events.length) {
            CUevent[] more = new CUevent[Math.max(FIRST_EVENTS, 2 * running)];
            for (int i = 0; i < more.length; i++) {
                more[i] = i < running ? events[(oldest + i) % running] : new CUevent();
                if (i >= running) {
                    CudaResult.check(JCudaDriver.cuEventCreate(more[i], CUevent_flags.CU_EVENT_DISABLE_TIMING),
                        "cuEventCreate on " + gpu);
                }
            }
            events = more;
            oldest = 0;
        }
        return events[(oldest + running) % events.length];
    }

    @Override
    public int running() {
        while (running > 0) {
            int result = CudaResult.query(events[oldest]);
            if (result == CUresult.CUDA_ERROR_NOT_READY) {
                break;
            }
            if (result != CUresult.CUDA_SUCCESS) {
                running = 0;
                throw CudaResult.failure(result, "a copy between ranks on " + gpu);
            }
            oldest = (oldest + 1) % events.length;
            running--;
        }
        return running;
    }

    @Override
    public void forget() {
        running = 0;
    }

    @Override
    public void close() {
        for (CUevent event : events) {
            JCudaDriver.cuEventDestroy(event);
        }
    }
}

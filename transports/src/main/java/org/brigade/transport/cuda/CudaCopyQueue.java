package org.brigade.transport.cuda;

import java.util.Arrays;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyQueue;
import org.brigade.memory.NativeMemory;

/** Copies on a stream of their own on the GPU of the caller's memory, with an event behind each. Memory of a context that is not the primary one is copied at once. */
final class CudaCopyQueue implements CopyQueue {
    private static final int FIRST_EVENTS = 8;

    /** The stream and events on one GPU. */
    private static final class Lane {
        final Gpu gpu;
        final CUstream stream;
        /** A ring: those of copies that may still run are {@code running} ones from {@code oldest} on. */
        CUevent[] events = new CUevent[0];
        int oldest;
        int running;

        /** With the GPU's context current. */
        Lane(Gpu gpu) {
            this.gpu = gpu;
            this.stream = gpu.newStream();
        }

        /** With the GPU's context current, as an event belongs to the one in which it was made. */
        CUevent next() {
            if (running == events.length) {
                CUevent[] more = new CUevent[Math.max(FIRST_EVENTS, 2 * running)];
                for (int i = 0; i < more.length; i++) {
                    more[i] = i < running ? events[(oldest + i) % running] : new CUevent();
                    if (i >= running) {
                        CudaResult.check(JCudaDriver.cuEventCreate(more[i], CUevent_flags.CU_EVENT_DISABLE_TIMING), "cuEventCreate on " + gpu);
                    }
                }
                events = more;
                oldest = 0;
            }
            return events[(oldest + running) % events.length];
        }
    }

    private Lane[] lanes = new Lane[0];
    /** The GPU of the last copy; the others' have all ended. */
    private Lane lane;

    @Override
    public void pull(long mapped, DeviceBuffer target, long at, long bytes) {
        CudaBuffer to = (CudaBuffer) target;
        enter(to.allocation.gpu);
        try {
            begun(JCudaDriver.cuMemcpyDtoDAsync(Addresses.device(to.address + at), Addresses.device(mapped), bytes, lane.stream), "cuMemcpyDtoDAsync", bytes);
        } finally {
            lane.gpu.leave();
        }
    }

    @Override
    public void read(DeviceBuffer source, long at, NativeMemory target, int targetAt, int bytes) {
        CudaBuffer from = (CudaBuffer) source;
        if (from.allocation.foreign != null) {
            from.read(at, target.bytes, targetAt, bytes);
            return;
        }
        enter(from.allocation.gpu);
        try {
            begun(JCudaDriver.cuMemcpyDtoHAsync(Addresses.host(target.address() + targetAt), Addresses.device(from.address + at), bytes, lane.stream), "cuMemcpyDtoHAsync", bytes);
        } finally {
            lane.gpu.leave();
        }
    }

    @Override
    public void write(NativeMemory source, int sourceAt, DeviceBuffer target, long at, int bytes) {
        CudaBuffer to = (CudaBuffer) target;
        if (to.allocation.foreign != null) {
            to.write(at, source.bytes, sourceAt, bytes);
            return;
        }
        enter(to.allocation.gpu);
        try {
            begun(JCudaDriver.cuMemcpyHtoDAsync(Addresses.device(to.address + at), Addresses.host(source.address() + sourceAt), bytes, lane.stream), "cuMemcpyHtoDAsync", bytes);
        } finally {
            lane.gpu.leave();
        }
    }

    /** Makes a GPU's context current and its lane the one in use; what runs on another has to end first, as copies end in order. */
    private void enter(Gpu gpu) {
        if (lane != null && lane.gpu != gpu && lane.running > 0) {
            lane.gpu.enter();
            try {
                ended(JCudaDriver.cuStreamSynchronize(lane.stream));
                lane.running = 0;
            } finally {
                lane.gpu.leave();
            }
        }
        gpu.enter();
        if (lane != null && lane.gpu == gpu) {
            return;
        }
        try {
            if (lanes.length <= gpu.ordinal) {
                lanes = Arrays.copyOf(lanes, gpu.ordinal + 1);
            }
            if (lanes[gpu.ordinal] == null) {
                lanes[gpu.ordinal] = new Lane(gpu);
            }
            lane = lanes[gpu.ordinal];
        } catch (RuntimeException e) {
            gpu.leave();
            throw e;
        }
    }

    private void begun(int result, String call, long bytes) {
        if (result == CUresult.CUDA_SUCCESS) {
            result = JCudaDriver.cuEventRecord(lane.next(), lane.stream);
        }
        if (result != CUresult.CUDA_SUCCESS) {
            lane.running = 0;
            throw CudaResult.failure(result, call + " of " + bytes + " bytes on " + lane.gpu);
        }
        lane.running++;
    }

    @Override
    public int running() {
        if (lane == null) {
            return 0;
        }
        while (lane.running > 0) {
            int result = JCudaDriver.cuEventQuery(lane.events[lane.oldest]);
            if (result == CUresult.CUDA_ERROR_NOT_READY) {
                break;
            }
            ended(result);
            lane.oldest = (lane.oldest + 1) % lane.events.length;
            lane.running--;
        }
        return lane.running;
    }

    private void ended(int result) {
        if (result != CUresult.CUDA_SUCCESS) {
            lane.running = 0;
            throw CudaResult.failure(result, "a copy between ranks on " + lane.gpu);
        }
    }

    @Override
    public void close() {
        for (Lane each : lanes) {
            if (each != null && JCudaDriver.cuCtxPushCurrent(each.gpu.context) == CUresult.CUDA_SUCCESS) {
                JCudaDriver.cuStreamSynchronize(each.stream);
                JCudaDriver.cuStreamDestroy(each.stream);
                for (CUevent event : each.events) {
                    JCudaDriver.cuEventDestroy(event);
                }
                each.gpu.leave();
            }
        }
        lanes = new Lane[0];
        lane = null;
    }
}

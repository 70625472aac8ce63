package org.brigade.transport.cuda.copy;

import java.util.Arrays;
import jcuda.CudaException;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyQueue;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaBuffer;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.driver.StreamWord;
import org.brigade.transport.cuda.pack.PackStream;
import org.brigade.transport.cuda.pack.PackedMemory;

/**
 * Copies on a stream of their own on the GPU of the caller's memory, with a mark after each. Memory of a context that
 * is not the primary one is copied synchronously.
 */
final class CudaCopyQueue implements CopyQueue {
    /** What a copy is between, as the driver's calls are named. */
    private enum Way { DtoD, DtoH, HtoD }

    /** The stream on one GPU. */
    private static final class GpuCopies {
        final Gpu gpu;
        final CUstream stream;
        final CopyMarks marks;
        /** For copies of items with gaps; null until the first. */
        PackStream packing;

        /** Needs the GPU's context current. */
        GpuCopies(Gpu gpu) {
            this.gpu = gpu;
            StreamWord word = gpu.takeWord();
            this.stream = gpu.newStream();
            marks = word == null ? new EventMarks(gpu, stream) : new WordMarks(gpu, stream, word);
        }

        PackStream packing(PackedMemory items) {
            if (packing == null) {
                packing = PackStream.on(stream, items);
            }
            return packing;
        }

        void close() {
            gpu.enter();
            try {
                JCudaDriver.cuStreamSynchronize(stream);
                if (packing != null) {
                    packing.close();
                }
                JCudaDriver.cuStreamDestroy(stream);
                marks.close();
            } finally {
                gpu.leave();
            }
        }
    }

    private final CudaCopyEngine engine;
    /** Who makes the short copy that may be under way, and its number; null if none is. */
    private ShortCopies shorts;
    private long shortCopy;
    private GpuCopies[] ofGpus = new GpuCopies[0];
    /** The GPU of the last copy; copies on other GPUs have all ended. */
    private GpuCopies current;

    CudaCopyQueue(CudaCopyEngine engine) {
        this.engine = engine;
    }

    @Override
    public void pull(long mapped, DeviceBuffer target, long at, long bytes) {
        if (target instanceof PackedMemory items) {
            beginPacked(items, Way.DtoD, at, mapped, bytes);
        } else {
            CudaBuffer to = (CudaBuffer) target;
            if (bytes > ShortCopies.MOST_BYTES || !isShort(to, at, mapped, bytes)) {
                begin(to.allocation.gpu, Way.DtoD, to.address + at, mapped, bytes);
            }
        }
    }

    /**
     * Whether a kernel makes the copy. Copies end in the order of their calls, so only if no other one is under way.
     */
    private boolean isShort(CudaBuffer to, long at, long mapped, long bytes) {
        ShortCopies copies = to.allocation.foreign == null && running() == 0 ? engine.shorts(to.allocation.gpu) : null;
        if (copies == null) {
            return false;
        }
        try {
            shortCopy = copies.begin(to.address + at, mapped, bytes);
        } catch (RuntimeException e) {
            throw CudaResult.told(e);
        }
        shorts = shortCopy == 0 ? null : copies;
        return shorts != null;
    }

    /** Waits for the short copy, if there is one. */
    private void endShort() {
        if (shorts != null) {
            shorts.await(shortCopy);
            shorts = null;
        }
    }

    @Override
    public void read(DeviceBuffer source, long at, NativeMemory target, int targetAt, int bytes) {
        if (source instanceof PackedMemory items) {
            beginPacked(items, Way.DtoH, at, target.address() + targetAt, bytes);
            return;
        }
        CudaBuffer from = (CudaBuffer) source;
        if (from.allocation.foreign != null) {
            from.read(at, target.bytes, targetAt, bytes);
        } else {
            begin(from.allocation.gpu, Way.DtoH, target.address() + targetAt, from.address + at, bytes);
        }
    }

    @Override
    public void write(NativeMemory source, int sourceAt, DeviceBuffer target, long at, int bytes) {
        if (target instanceof PackedMemory items) {
            beginPacked(items, Way.HtoD, at, source.address() + sourceAt, bytes);
            return;
        }
        CudaBuffer to = (CudaBuffer) target;
        if (to.allocation.foreign != null) {
            to.write(at, source.bytes, sourceAt, bytes);
        } else {
            begin(to.allocation.gpu, Way.HtoD, to.address + at, source.address() + sourceAt, bytes);
        }
    }

    private void begin(Gpu gpu, Way way, long to, long from, long bytes) {
        enter(gpu);
        try {
            int result = switch (way) {
                case DtoD -> JCudaDriver.cuMemcpyDtoDAsync(Addresses.device(to), Addresses.device(from), bytes,
                    current.stream);
                case DtoH -> JCudaDriver.cuMemcpyDtoHAsync(Addresses.host(to), Addresses.device(from), bytes,
                    current.stream);
                case HtoD -> JCudaDriver.cuMemcpyHtoDAsync(Addresses.device(to), Addresses.host(from), bytes,
                    current.stream);
            };
            if (result != CUresult.CUDA_SUCCESS) {
                throw CudaResult.failure(result, "cuMemcpy" + way + "Async of " + bytes + " bytes");
            }
            begun();
        } catch (RuntimeException e) {
            throw stopped(e);
        } finally {
            current.gpu.leave();
        }
    }

    /** As {@link #begin}, between items with gaps and an address. */
    private void beginPacked(PackedMemory items, Way way, long at, long address, long bytes) {
        enter(items.memory.allocation.gpu);
        try {
            PackStream packing = current.packing(items);
            switch (way) {
                case DtoD -> packing.pull(items, at, address, bytes);
                case DtoH -> packing.read(items, at, Addresses.host(address), (int) bytes);
                case HtoD -> packing.write(items, at, Addresses.host(address), (int) bytes);
            }
            begun();
        } catch (RuntimeException e) {
            throw stopped(e);
        } finally {
            current.gpu.leave();
        }
    }

    private void begun() {
        current.marks.put();
    }

    /**
     * Makes a GPU's context current and uses its stream. Copies on another GPU must end first, as copies end in order.
     */
    private void enter(Gpu gpu) {
        endShort();
        if (current != null && current.gpu != gpu) {
            current.gpu.enter();
            try {
                CudaResult.check(JCudaDriver.cuStreamSynchronize(current.stream),
                    "copies between ranks on " + current.gpu);
                current.marks.forget();
            } catch (RuntimeException e) {
                throw stopped(e);
            } finally {
                current.gpu.leave();
            }
        }
        gpu.enter();
        if (current != null && current.gpu == gpu) {
            return;
        }
        try {
            if (ofGpus.length <= gpu.ordinal) {
                ofGpus = Arrays.copyOf(ofGpus, gpu.ordinal + 1);
            }
            if (ofGpus[gpu.ordinal] == null) {
                ofGpus[gpu.ordinal] = new GpuCopies(gpu);
            }
            current = ofGpus[gpu.ordinal];
        } catch (RuntimeException e) {
            gpu.leave();
            throw CudaResult.told(e);
        }
    }

    /**
     * A copy, or its end, cannot be tracked: waits for the running ones, as their callers will not. Needs the context
     * current.
     */
    private RuntimeException stopped(RuntimeException failure) {
        current.marks.forget();
        try {
            JCudaDriver.cuStreamSynchronize(current.stream);
        } catch (CudaException same) {
            // Then the context is gone, and nothing runs.
        }
        return CudaResult.told(failure);
    }

    @Override
    public int running() {
        if (shorts != null) {
            ShortCopies copies = shorts;
            shorts = null; // stays null if it throws
            shorts = copies.isRunning(shortCopy) ? copies : null;
            return shorts == null ? 0 : 1;
        }
        if (current == null) {
            return 0;
        }
        try {
            return current.marks.running();
        } catch (RuntimeException failed) {
            current.gpu.enter();
            try {
                throw stopped(failed);
            } finally {
                current.gpu.leave();
            }
        }
    }

    @Override
    public void close() {
        endShort();
        for (GpuCopies each : ofGpus) {
            if (each != null) {
                try {
                    each.close();
                } catch (RuntimeException e) {
                    // The context is gone, and everything in it.
                }
            }
        }
        ofGpus = new GpuCopies[0];
        current = null;
    }
}

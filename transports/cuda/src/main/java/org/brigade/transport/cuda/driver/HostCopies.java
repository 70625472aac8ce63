package org.brigade.transport.cuda.driver;

import java.nio.ByteBuffer;
import jcuda.CudaException;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUpointer_attribute;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.brigade.nativ.Libc;

/**
 * Synchronous copies between a GPU and host memory, on a stream of their own. Long ones of memory that is not
 * page-locked use a page-locked bounce buffer in two halves: the GPU copies one while the host copies the other. The
 * driver's own bounce buffer does not overlap the two.
 */
final class HostCopies {
    /** Up to this length the driver's copy costs no more than ours. */
    private static final int DIRECT_BYTES = 64 << 10;
    private static final int HALF_BYTES = 1 << 20;

    private final Gpu gpu;
    /** Made at the first copy, and again at the first one behind {@link #end}. */
    private CUstream stream;
    private final CUevent[] moved = new CUevent[2];
    /** Made at the first long copy. */
    private PinnedMemory bounce;
    private ByteBuffer bounceBytes;

    HostCopies(Gpu gpu) {
        this.gpu = gpu;
    }

    /** Needs the GPU's context current. */
    private CUstream stream() {
        if (stream == null) {
            stream = gpu.newStream();
        }
        return stream;
    }

    /** Frees everything; no copy is under way. Needs the GPU's context current. */
    synchronized void end() {
        if (stream != null) {
            JCudaDriver.cuStreamDestroy(stream);
            stream = null;
        }
        if (bounce != null) {
            for (CUevent event : moved) {
                JCudaDriver.cuEventDestroy(event);
            }
            bounce.free();
            bounce = null;
            bounceBytes = null;
        }
    }

    /** From device memory into a direct buffer's bytes from {@code targetAt} on. */
    synchronized void read(Allocation allocation, long address, ByteBuffer target, int targetAt, int length) {
        allocation.enter();
        try {
            if (allocation.foreign != null) {
                CudaResult.check(JCudaDriver.cuMemcpyDtoH(pointer(target, targetAt), Addresses.device(address), length),
                    "cuMemcpyDtoH of " + length + " bytes from " + gpu);
            } else if (isDirect(target, targetAt, length)) {
                fetch(pointer(target, targetAt), address, length);
                await();
            } else {
                readBounced(address, target, targetAt, length);
            }
        } catch (CudaException e) {
            throw CudaResult.told(e);
        } finally {
            gpu.leave();
        }
    }

    /** From a direct buffer's bytes from {@code sourceAt} on into device memory. */
    synchronized void write(Allocation allocation, long address, ByteBuffer source, int sourceAt, int length) {
        allocation.enter();
        try {
            if (allocation.foreign != null) {
                // The driver keeps memory that is not page-locked in a bounce buffer and may return before the device
                // has the data.
                CudaResult.check(JCudaDriver.cuMemcpyHtoD(Addresses.device(address), pointer(source, sourceAt), length),
                    "cuMemcpyHtoD of " + length + " bytes to " + gpu);
                CudaResult.check(JCudaDriver.cuStreamSynchronize(new CUstream()), "cuStreamSynchronize on " + gpu);
            } else if (isDirect(source, sourceAt, length)) {
                store(address, pointer(source, sourceAt), length);
                await();
            } else {
                writeBounced(address, source, sourceAt, length);
            }
        } catch (CudaException e) {
            throw CudaResult.told(e);
        } finally {
            gpu.leave();
        }
    }

    /** Between two stretches of device memory, on one GPU or on two. */
    synchronized void copy(Allocation from, long source, Allocation to, long target, long length) {
        gpu.enter();
        try {
            if (from.gpu == to.gpu && from.foreign == null && to.foreign == null) {
                CudaResult.check(
                    JCudaDriver.cuMemcpyDtoDAsync(Addresses.device(target), Addresses.device(source), length, stream()),
                    "cuMemcpyDtoDAsync of " + length + " bytes on " + gpu);
            } else {
                CudaResult.check(
                    JCudaDriver.cuMemcpyPeerAsync(Addresses.device(target), context(to), Addresses.device(source),
                        context(from), length, stream()),
                    "cuMemcpyPeerAsync of " + length + " bytes from " + gpu + " to " + to.gpu);
            }
            await();
        } catch (CudaException e) {
            throw CudaResult.told(e);
        } finally {
            gpu.leave();
        }
    }

    private static CUcontext context(Allocation allocation) {
        return allocation.foreign != null ? allocation.foreign : allocation.gpu.context;
    }

    /** Whether the driver copies this as well as we do: it is short, or page-locked. */
    private static boolean isDirect(ByteBuffer host, int at, int length) {
        if (length <= DIRECT_BYTES) {
            return true;
        }
        PointerQuery query = PointerQuery.ofThread();
        query.ask(CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, Addresses.device(Libc.address(host) + at));
        return query.answered();
    }

    private void readBounced(long address, ByteBuffer target, int targetAt, int length) {
        ensureBounce();
        fetchHalf(0, address, Math.min(HALF_BYTES, length));
        int half = 0;
        for (int done = 0; done < length; done += HALF_BYTES) {
            int next = done + HALF_BYTES;
            if (next < length) {
                fetchHalf(half ^ 1, address + next, Math.min(HALF_BYTES, length - next));
            }
            CudaResult.check(JCudaDriver.cuEventSynchronize(moved[half]), "a copy from " + gpu);
            target.put(targetAt + done, bounceBytes, half * HALF_BYTES, Math.min(HALF_BYTES, length - done));
            half ^= 1;
        }
    }

    private void fetchHalf(int half, long address, int length) {
        fetch(bounce.at(half * HALF_BYTES), address, length);
        CudaResult.check(JCudaDriver.cuEventRecord(moved[half], stream()), "cuEventRecord on " + gpu);
    }

    private void writeBounced(long address, ByteBuffer source, int sourceAt, int length) {
        ensureBounce();
        int half = 0;
        for (int done = 0; done < length; done += HALF_BYTES) {
            int piece = Math.min(HALF_BYTES, length - done);
            // An event that was never recorded counts as complete.
            CudaResult.check(JCudaDriver.cuEventSynchronize(moved[half]), "a copy to " + gpu);
            bounceBytes.put(half * HALF_BYTES, source, sourceAt + done, piece);
            store(address + done, bounce.at(half * HALF_BYTES), piece);
            CudaResult.check(JCudaDriver.cuEventRecord(moved[half], stream()), "cuEventRecord on " + gpu);
            half ^= 1;
        }
        await();
    }

    private void ensureBounce() {
        if (bounce == null) {
            for (int half = 0; half < moved.length; half++) {
                moved[half] = new CUevent();
                CudaResult.check(JCudaDriver.cuEventCreate(moved[half], CUevent_flags.CU_EVENT_DISABLE_TIMING),
                    "cuEventCreate on " + gpu);
            }
            bounce = new PinnedMemory(2 * HALF_BYTES);
            bounceBytes = bounce.memory.bytes;
        }
    }

    private void fetch(Pointer target, long address, int length) {
        CudaResult.check(JCudaDriver.cuMemcpyDtoHAsync(target, Addresses.device(address), length, stream()),
            "cuMemcpyDtoHAsync of " + length + " bytes from " + gpu);
    }

    private void store(long address, Pointer source, int length) {
        CudaResult.check(JCudaDriver.cuMemcpyHtoDAsync(Addresses.device(address), source, length, stream()),
            "cuMemcpyHtoDAsync of " + length + " bytes to " + gpu);
    }

    private void await() {
        CudaResult.check(JCudaDriver.cuStreamSynchronize(stream()), "a copy of device memory on " + gpu);
    }

    private static Pointer pointer(ByteBuffer direct, int at) {
        return Pointer.to(direct).withByteOffset(at);
    }
}

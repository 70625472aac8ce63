package org.brigade.transport.cuda.pack;

import java.nio.ByteBuffer;
import java.util.Arrays;
import jcuda.CudaException;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.MPIException;
import mpi.spi.TypeMap;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaBuffer;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.driver.PackedBuffer;
import org.brigade.transport.cuda.driver.Packing;
import org.brigade.transport.cuda.kernel.Kernels;
import org.brigade.transport.cuda.kernel.Kernels.Kernel;

/**
 * Packs items with gaps in the memory of one GPU, by kernels. Copies that return when they are complete run on a stream
 * of their own; {@link PackStream} serves those of others. Any thread.
 */
public final class Packer implements Packing {
    private static final int THREADS = 256;
    /** Accesses of each thread that the grid is made for. */
    private static final int EACH = 4;
    private static final int MOST_BLOCKS_EACH = 8;
    private static final int WIDEST = 16;
    /** Lists of runs that are kept in device memory: those used last. */
    private static final int LISTS = 16;

    final Gpu gpu;
    private boolean tried;
    private Kernel gather;
    private Kernel scatter;
    private PackArguments arguments;
    private PackStream own;
    private final RunList[] lists = new RunList[LISTS];
    private final CUdeviceptr[] places = new CUdeviceptr[LISTS];
    private final long[] uses = new long[LISTS];
    private long clock;

    /** It loads its kernels when they are first needed. */
    public Packer(Gpu gpu) {
        this.gpu = gpu;
    }

    @Override
    public PackedBuffer packed(CudaBuffer memory, long place, TypeMap items) {
        RunList list = isReady() ? RunList.of(items) : null;
        return list == null ? null : new PackedMemory(this, memory, place, list);
    }

    @Override
    public synchronized void end() {
        try {
            gpu.enter();
            try {
                if (own != null) {
                    own.close();
                    JCudaDriver.cuStreamDestroy(own.stream);
                }
                for (int slot = 0; slot < LISTS; slot++) {
                    if (lists[slot] != null) {
                        JCudaDriver.cuMemFree(places[slot]);
                    }
                }
                if (arguments != null) {
                    arguments.free();
                }
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException e) {
            // The context is gone, and everything in it.
        }
        own = null;
        Arrays.fill(lists, null);
        Arrays.fill(uses, 0);
        arguments = null;
        gather = null; // its module is unloaded next
        tried = false;
    }

    /** False if this GPU cannot run the kernels. */
    private synchronized boolean isReady() {
        if (!tried) {
            tried = true;
            gpu.enter();
            try {
                arguments = new PackArguments();
                scatter = Kernels.of(gpu).packing("scatter");
                gather = Kernels.of(gpu).packing("gather");
            } catch (MPIException | CudaException refused) {
                gather = null;
            } finally {
                gpu.leave();
            }
        }
        return gather != null;
    }

    /**
     * Launches a kernel. Needs the GPU's context current.
     *
     * @param gathers whether packed bytes are written; else they are read
     * @param from the first packed byte
     * @param packed address of the packed bytes, which this GPU can use
     */
    synchronized void launch(boolean gathers, PackedMemory items, long from, long packed, long bytes,
        CUstream stream) {
        RunList list = items.list;
        long skipped = Math.floorDiv(from, list.size);
        long memory = items.base + skipped * list.step;
        long first = from - skipped * list.size;
        int width = (int) Long.lowestOneBit(list.bits | memory | packed | first | bytes | WIDEST);
        arguments.putLong(PackArguments.MEMORY, memory);
        arguments.putLong(PackArguments.PACKED, packed);
        arguments.putLong(PackArguments.RUNS, list.number == 1 ? 0 : place(list));
        arguments.putLong(PackArguments.FROM, first);
        arguments.putLong(PackArguments.BYTES, bytes);
        arguments.putLong(PackArguments.ITEM, list.size);
        arguments.putLong(PackArguments.STEP, list.step);
        arguments.putLong(PackArguments.AT, list.runs[1]);
        arguments.putLong(PackArguments.STRIDE, list.runs[2]);
        arguments.putLong(PackArguments.LENGTH, list.runs[3]);
        arguments.putInt(PackArguments.NUMBER, list.number);
        arguments.putInt(PackArguments.WIDTH, width);
        long wanted = (bytes / width + THREADS * EACH - 1) / (THREADS * EACH);
        Kernel kernel = gathers ? gather : scatter;
        CudaResult.check(
            JCudaDriver.cuLaunchKernel(kernel.function, (int) Math.min(wanted, MOST_BLOCKS_EACH * gpu.multiprocessors),
                1, 1, Math.min(THREADS, kernel.mostThreads), 1, 1, 0, stream, arguments.parameters(), null),
            "launching " + kernel.name + " on " + gpu);
    }

    /** Address of a list in device memory. */
    private long place(RunList list) {
        int slot = 0;
        for (int i = 0; i < LISTS; i++) {
            if (lists[i] == list) {
                uses[i] = ++clock;
                return Addresses.of(places[i]);
            }
            slot = uses[i] < uses[slot] ? i : slot;
        }
        CUdeviceptr made = new CUdeviceptr();
        long bytes = 8L * list.runs.length;
        CudaResult.check(JCudaDriver.cuMemAlloc(made, bytes),
            "cuMemAlloc of " + bytes + " bytes for a datatype on " + gpu);
        CudaResult.check(JCudaDriver.cuMemcpyHtoD(made, Pointer.to(list.runs), bytes),
            "cuMemcpyHtoD of " + bytes + " bytes to " + gpu);
        // The driver may return while the last bytes are still on their way.
        CudaResult.check(JCudaDriver.cuStreamSynchronize(new CUstream()), "cuStreamSynchronize on " + gpu);
        if (lists[slot] != null) {
            JCudaDriver.cuMemFree(places[slot]); // waits for kernels that read it
        }
        lists[slot] = list;
        places[slot] = made;
        uses[slot] = ++clock;
        return Addresses.of(made);
    }

    /** Packs into a direct buffer. */
    synchronized void read(PackedMemory items, long at, ByteBuffer target, int targetAt, int length) {
        enter();
        try {
            own.read(items, at, Pointer.to(target).withByteOffset(targetAt), length);
            own.await();
        } catch (CudaException e) {
            throw CudaResult.told(e);
        } finally {
            gpu.leave();
        }
    }

    /** Unpacks from a direct buffer. */
    synchronized void write(PackedMemory items, long at, ByteBuffer source, int sourceAt, int length) {
        enter();
        try {
            own.write(items, at, Pointer.to(source).withByteOffset(sourceAt), length);
            own.await();
        } catch (CudaException e) {
            throw CudaResult.told(e);
        } finally {
            gpu.leave();
        }
    }

    /** Packs to an address of this GPU, or unpacks from there. */
    synchronized void move(boolean gathers, PackedMemory items, long at, long packed, long length) {
        if (length > 0) {
            enter();
            try {
                launch(gathers, items, at, packed, length, own.stream);
                own.await();
            } catch (CudaException e) {
                throw CudaResult.told(e);
            } finally {
                gpu.leave();
            }
        }
    }

    /** Copies between items on this GPU. */
    synchronized void copy(PackedMemory source, long at, PackedMemory target, long targetAt, long length) {
        enter();
        try {
            own.copy(source, at, target, targetAt, length);
            own.await();
        } catch (CudaException e) {
            throw CudaResult.told(e);
        } finally {
            gpu.leave();
        }
    }

    private void enter() {
        gpu.enter();
        if (own == null) {
            own = new PackStream(this, gpu.newStream());
        }
    }
}

package org.brigade.examples.gpu;

import static jcuda.driver.JCudaDriver.cuCtxSetCurrent;
import static jcuda.driver.JCudaDriver.cuDeviceGet;
import static jcuda.driver.JCudaDriver.cuDeviceGetAttribute;
import static jcuda.driver.JCudaDriver.cuDevicePrimaryCtxRelease;
import static jcuda.driver.JCudaDriver.cuDevicePrimaryCtxRetain;
import static jcuda.driver.JCudaDriver.cuMemAlloc;
import static jcuda.driver.JCudaDriver.cuMemAllocHost;
import static jcuda.driver.JCudaDriver.cuMemFree;
import static jcuda.driver.JCudaDriver.cuMemFreeHost;
import static jcuda.driver.JCudaDriver.cuMemcpyDtoDAsync;
import static jcuda.driver.JCudaDriver.cuMemcpyDtoHAsync;
import static jcuda.driver.JCudaDriver.cuMemcpyHtoDAsync;
import static jcuda.driver.JCudaDriver.cuMemsetD32Async;
import static jcuda.driver.JCudaDriver.cuStreamCreate;
import static jcuda.driver.JCudaDriver.cuStreamDestroy;
import static jcuda.driver.JCudaDriver.cuStreamSynchronize;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import jcuda.Pointer;
import jcuda.Sizeof;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.transport.cuda.driver.CudaDriver;

/** This rank's GPU: one stream, and memory that is freed with it. Errors are JCuda's exceptions. */
final class RankGpu implements DeviceCopies, AutoCloseable {
    private final CUdevice device = new CUdevice();
    private final CUcontext context = new CUcontext();
    private final CUstream stream = new CUstream();
    private final List<CUdeviceptr> allocations = new ArrayList<>();
    private final List<Pointer> pinned = new ArrayList<>();

    private RankGpu(int ordinal) {
        JCudaDriver.setExceptionsEnabled(true);
        cuDeviceGet(device, ordinal);
        cuDevicePrimaryCtxRetain(context, device);
        attach();
        cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING);
    }

    /**
     * One process per GPU: the ranks of a machine count through its GPUs. Without CUDA, rank 0 says what is missing,
     * and the program ends.
     */
    static RankGpu ofThisRank() throws MPIException {
        String missing = CudaDriver.missing();
        if (missing != null) {
            if (MPI.COMM_WORLD.getRank() == 0) {
                System.err.println("This example needs a GPU, and " + missing + ".");
            }
            MPI.Finalize();
            System.exit(1);
        }
        Intracomm machine = MPI.COMM_WORLD.splitType(Comm.TYPE_SHARED, 0, null);
        int ordinal = machine.getRank() % CudaDriver.devices();
        machine.free();
        return new RankGpu(ordinal);
    }

    /** Lets the calling thread use this GPU; the one that has made it can already. */
    void attach() {
        cuCtxSetCurrent(context);
    }

    int multiprocessors() {
        int[] number = new int[1];
        cuDeviceGetAttribute(number, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
        return number[0];
    }

    CUstream stream() {
        return stream;
    }

    /** Memory as Brigade can reach it from other processes: cuMemAlloc, not the async pools. */
    CUdeviceptr allocate(long bytes) {
        CUdeviceptr at = new CUdeviceptr();
        cuMemAlloc(at, bytes);
        allocations.add(at);
        return at;
    }

    Tensor tensor(String name, int floats) {
        return new Tensor(name, allocate((long) floats * Sizeof.FLOAT), floats);
    }

    /** Host memory that the GPU copies from and to at full speed. */
    ByteBuffer allocatePinned(long bytes) {
        Pointer at = new Pointer();
        cuMemAllocHost(at, bytes);
        pinned.add(at);
        return at.getByteBuffer(0, bytes).order(ByteOrder.nativeOrder());
    }

    /** Returns when the values are there. */
    void write(float[] from, CUdeviceptr to) {
        write(Pointer.to(from), to, (long) from.length * Sizeof.FLOAT);
    }

    void write(int[] from, CUdeviceptr to) {
        write(Pointer.to(from), to, (long) from.length * Sizeof.INT);
    }

    private void write(Pointer from, CUdeviceptr to, long bytes) {
        cuMemcpyHtoDAsync(to, from, bytes, stream);
        await();
    }

    float[] read(CUdeviceptr from, int floats) {
        float[] values = new float[floats];
        cuMemcpyDtoHAsync(Pointer.to(values), from, (long) floats * Sizeof.FLOAT, stream);
        await();
        return values;
    }

    void fill(Tensor tensor, float value) {
        cuMemsetD32Async(tensor.at(), Float.floatToRawIntBits(value), tensor.floats(), stream);
    }

    @Override
    public void copy(CUdeviceptr from, CUdeviceptr to, long bytes) {
        cuMemcpyDtoDAsync(to, from, bytes, stream);
    }

    @Override
    public void await() {
        cuStreamSynchronize(stream);
    }

    @Override
    public void close() {
        await();
        for (CUdeviceptr at : allocations) {
            cuMemFree(at);
        }
        for (Pointer at : pinned) {
            cuMemFreeHost(at);
        }
        cuStreamDestroy(stream);
        cuDevicePrimaryCtxRelease(device);
    }
}

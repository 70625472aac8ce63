package org.brigade.transport.cuda;

import java.util.Arrays;
import java.util.Locale;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.spi.DeviceBuffer;
import mpi.spi.TypeMap;
import org.brigade.transport.cuda.driver.CudaDriver;

/**
 * One or two ranks, by hand, on real GPUs: what items with gaps cost in device memory. Each value is a median of turns
 * in which all kinds take part. Rank 0 prints microseconds, and GB/s of the data without gaps:
 *
 * <pre>
 * pack      from device memory to device memory: contiguous, 8 of every 16 bytes, a column of a matrix of doubles with
 *           64 in a row, and a column of 24-byte blocks
 * message   the same between two ranks, there and back, half the time; "packed at one end": into contiguous memory
 * </pre>
 *
 * Messages are compared with what was sent. Needs the test classes and JCuda on the class path.
 */
public final class TypeTimes {
    private static final int[] SIZES = {8 << 10, 64 << 10, 1 << 20, 16 << 20};
    private static final int LARGEST = 16 << 20;
    /** A column takes so many times its data. */
    private static final int ROW = 64;
    private static final String[] KINDS = {"contiguous", "8 of 16 bytes", "matrix column", "24 of 64 bytes",
        "packed at one end"};

    private interface Call {
        void run(int kind, int bytes) throws MPIException;
    }

    private TypeTimes() {
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        JCudaDriver.setExceptionsEnabled(true);
        CUdevice device = new CUdevice();
        CUcontext context = new CUcontext();
        JCudaDriver.cuDeviceGet(device, world.getRank() % CudaDriver.devices());
        JCudaDriver.cuDevicePrimaryCtxRetain(context, device);
        JCudaDriver.cuCtxSetCurrent(context);
        CUdeviceptr first = new CUdeviceptr();
        CUdeviceptr second = new CUdeviceptr();
        long bytes = (long) LARGEST * ROW;
        JCudaDriver.cuMemAlloc(first, bytes);
        JCudaDriver.cuMemAlloc(second, bytes);
        JCudaDriver.cuMemsetD8(first, (byte) 1, bytes);
        JCudaDriver.cuMemsetD8(second, (byte) 2, bytes);
        JCudaDriver.cuCtxSynchronize();
        if (world.getRank() == 0) {
            packing(first, second);
        }
        world.barrier();
        if (world.getSize() == 2) {
            messages(world, first, second);
        }
        MPI.Finalize();
    }

    private static void packing(CUdeviceptr first, CUdeviceptr second) throws MPIException {
        CudaDevices devices = new CudaDevices();
        DeviceBuffer source = (DeviceBuffer) devices.underlying(first);
        DeviceBuffer target = (DeviceBuffer) devices.underlying(second);
        DeviceBuffer[] kinds = {source, source.packed(0, blocks(8, 16)), source.packed(0, blocks(8, 8 * ROW)),
            source.packed(0, blocks(24, 64))};
        times("pack", 1, true, kinds.length, (kind, bytes) -> kinds[kind].copy(0, target, 0, bytes));
    }

    private static TypeMap blocks(int bytes, int distance) {
        return TypeMap.repeated(TypeMap.contiguous(bytes / 8, 8), 1L << 31, distance);
    }

    private static void messages(Intracomm world, CUdeviceptr first, CUdeviceptr second) throws MPIException {
        int rank = world.getRank();
        Datatype three = Datatype.createContiguous(3, MPI.DOUBLE);
        Datatype[] types = {MPI.DOUBLE, Datatype.createResized(MPI.DOUBLE, 0, 16),
            Datatype.createResized(MPI.DOUBLE, 0, 8 * ROW), Datatype.createResized(three, 0, 64)};
        for (Datatype type : types) {
            type.commit();
        }
        Call pingPong = (kind, bytes) -> {
            Datatype type = types[kind % types.length];
            Datatype other = kind < types.length ? type : MPI.DOUBLE;
            if (kind == types.length) {
                type = types[1];
            }
            if (rank == 0) {
                world.send(first, bytes / type.getByteSize(), type, 1, 0);
                world.recv(second, bytes / type.getByteSize(), type, 1, 0);
            } else {
                world.recv(second, bytes / other.getByteSize(), other, 0, 0);
                world.send(second, bytes / other.getByteSize(), other, 0, 0);
            }
        };
        for (int kind = 1; kind < types.length; kind++) {
            check(world, pingPong, kind, types[kind], second);
        }
        times("message", 2, rank == 0, types.length + 1, pingPong);
    }

    /** Rank 0 gets its own bytes back, and the gaps keep theirs. */
    private static void check(Intracomm world, Call call, int kind, Datatype type, CUdeviceptr second)
        throws MPIException {
        int items = 1000;
        int distance = type.getExtent() * 8;
        JCudaDriver.cuMemsetD8(second, (byte) 2, (long) items * 8 * ROW);
        JCudaDriver.cuCtxSynchronize();
        call.run(kind, items * type.getByteSize());
        byte[] found = new byte[items * 8 * ROW];
        JCudaDriver.cuMemcpyDtoH(Pointer.to(found), second, found.length);
        byte[] expected = new byte[found.length];
        Arrays.fill(expected, (byte) 2);
        for (int i = 0; i < items; i++) {
            Arrays.fill(expected, i * distance, i * distance + type.getByteSize(), (byte) 1);
        }
        if (!Arrays.equals(expected, found)) {
            throw new AssertionError("rank " + world.getRank() + ": " + KINDS[kind] + ": byte "
                + Arrays.mismatch(expected, found) + " is wrong");
        }
    }

    private static void times(String what, int ways, boolean prints, int kinds, Call call) throws MPIException {
        for (int bytes : SIZES) {
            int whole = bytes / 48 * 48; // of all items
            int turns = bytes <= 1 << 20 ? 400 : 60;
            double[][] times = new double[kinds][turns];
            for (int turn = -turns / 2; turn < turns; turn++) {
                for (int kind = 0; kind < kinds; kind++) {
                    long begin = System.nanoTime();
                    call.run(kind, whole);
                    if (turn >= 0) {
                        times[kind][turn] = (System.nanoTime() - begin) / 1e3 / ways;
                    }
                }
            }
            for (int kind = 0; kind < kinds && prints; kind++) {
                Arrays.sort(times[kind]);
                double median = times[kind][turns / 2];
                System.out.printf(Locale.ROOT, "%-8s %9d  %-18s %9.1f us %7.2f GB/s%n", what, whole, KINDS[kind],
                    median, whole / median / 1e3);
            }
        }
    }
}

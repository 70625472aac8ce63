package org.brigade.transport.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.cli.bench.timing.Timing;
import org.brigade.transport.cuda.driver.CudaDriver;

/**
 * Two ranks on two nodes, by hand, on real GPUs: what calls take whose buffers are in device memory, beside the same
 * with host buffers (direct), and the copies' own limits. Rank 0 prints one line a call and size: microseconds and
 * GB/s, device and host; of a message there and back half the time. Medians; the results are looked at by
 * {@link DeviceNodes}.
 */
public final class DeviceNodesTimes {
    private static final int[] SIZES = {8, 4 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20};
    private static final int LARGEST = 64 << 20;

    private static Intracomm world;
    private static int rank;

    private interface Call {
        void run(Object send, Object recv, int bytes) throws MPIException;
    }

    private DeviceNodesTimes() {
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        Driver.enter(rank % CudaDriver.devices());
        CUdeviceptr send = Driver.allocate(LARGEST);
        CUdeviceptr recv = Driver.allocate(LARGEST);
        Driver.ok(JCudaDriver.cuMemsetD8(send, (byte) 0, LARGEST));
        Driver.ok(JCudaDriver.cuCtxSynchronize());
        if (rank == 0) {
            limits(send);
        }
        ByteBuffer hostSend = ByteBuffer.allocateDirect(LARGEST).order(ByteOrder.nativeOrder());
        ByteBuffer hostRecv = ByteBuffer.allocateDirect(LARGEST).order(ByteOrder.nativeOrder());
        Call pingPong = (out, in, bytes) -> {
            if (rank == 0) {
                world.send(out, bytes, MPI.BYTE, 1, 0);
                world.recv(in, bytes, MPI.BYTE, 1, 0);
            } else {
                world.recv(in, bytes, MPI.BYTE, 0, 0);
                world.send(out, bytes, MPI.BYTE, 0, 0);
            }
        };
        print("message", 2, pingPong, send, recv, hostSend, hostRecv);
        print("bcast", 1, (out, in, bytes) -> world.bcast(out, bytes, MPI.BYTE, 0), send, recv, hostSend, hostRecv);
        print("allreduce", 1, (out, in, bytes) -> world.allReduce(out, in, bytes / 4, MPI.FLOAT, MPI.SUM), send, recv,
            hostSend, hostRecv);
        MPI.Finalize();
    }

    private static void limits(CUdeviceptr device) {
        Pointer host = new Pointer();
        Driver.ok(JCudaDriver.cuMemHostAlloc(host, LARGEST, 0));
        CUstream stream = Driver.stream(CUstream_flags.CU_STREAM_NON_BLOCKING);
        for (int bytes : new int[] {512 << 10, LARGEST}) {
            double[] best = {Double.MAX_VALUE, Double.MAX_VALUE};
            for (int i = 0; i < 40; i++) {
                long begin = System.nanoTime();
                if (i % 2 == 0) {
                    Driver.ok(JCudaDriver.cuMemcpyDtoHAsync(host, device, bytes, stream));
                } else {
                    Driver.ok(JCudaDriver.cuMemcpyHtoDAsync(device, host, bytes, stream));
                }
                Driver.ok(JCudaDriver.cuStreamSynchronize(stream));
                best[i % 2] = Math.min(best[i % 2], (System.nanoTime() - begin) / 1e3);
            }
            System.out.printf(Locale.ROOT,
                "copy of %9d bytes, page-locked: device to host %.1f us (%.1f GB/s), host to device %.1f us (%.1f"
                    + " GB/s)%n",
                bytes, best[0], bytes / best[0] / 1e3, best[1],
                bytes / best[1] / 1e3);
        }
    }

    private static void print(String name, int ways, Call call, Object send, Object recv, Object hostSend,
        Object hostRecv) throws MPIException {
        for (int bytes : SIZES) {
            double device = time(call, send, recv, bytes) / ways;
            double host = time(call, hostSend, hostRecv, bytes) / ways;
            if (rank == 0) {
                System.out.printf(Locale.ROOT, "%-10s %9d  device %9.1f us %6.2f GB/s   host %9.1f us %6.2f GB/s%n",
                    name, bytes, device, bytes / device / 1e3, host, bytes / host / 1e3);
            }
        }
    }

    private static double time(Call call, Object send, Object recv, int bytes) throws MPIException {
        int runs = bytes <= 1 << 20 ? 200 : 20;
        Timing timing = new Timing(world);
        Timing.Call timed = () -> call.run(send, recv, bytes);
        timing.warmUp(timed, runs / 4, 0);
        return Timing.median(timing.each(timed, runs)) / 1e3;
    }
}

package org.brigade.transport.cuda.group;

import java.util.Arrays;
import java.util.SplittableRandom;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.transport.cuda.Driver;
import org.brigade.transport.cuda.DriverCounts;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.transport.cuda.kernel.KernelImages;

/**
 * A rank of small collectives in resident mode, on the GPU of its rank. {@code times} is for real GPUs: what a call
 * takes, and what calls of the driver wait for the resident kernel to go, in microseconds.
 */
public final class ResidentTrial {
    private static final int ROOM = 1 << 20;
    private static final int LONG = 200_000;

    private static Intracomm world;
    private static int rank;
    private static int size;
    private static CUdeviceptr send;
    private static CUdeviceptr recv;

    private ResidentTrial() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        size = world.getSize();
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        Driver.enter(rank % CudaDriver.devices());
        send = Driver.allocate(ROOM);
        recv = Driver.allocate(ROOM);
        switch (arguments[0]) {
            case "mixed" -> mixed(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
            case "many" -> many(Integer.parseInt(arguments[1]));
            case "unasked" -> unasked(Integer.parseInt(arguments[1]));
            case "driver" -> driver();
            case "communicators" -> communicators();
            case "steady" -> steady(Integer.parseInt(arguments[1]));
            case "times" -> times();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        world.barrier();
        if (rank == 0) {
            System.out.println("all is well");
        }
        MPI.Finalize();
    }

    // ---- calls whose results are known ----

    /** Item i of rank r's contribution to call n. */
    private static int item(int n, int r, int i) {
        return n * 31 + r * 7 + i;
    }

    private static void is(int expected, int found, int n, String what) {
        if (expected != found) {
            throw new AssertionError(
                "call " + n + ", " + what + ", on rank " + rank + " gives " + found + ", not " + expected);
        }
    }

    private static void sumOfInts(int n, int count) throws Exception {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = item(n, rank, i);
        }
        Driver.ok(JCudaDriver.cuMemcpyHtoD(send, Pointer.to(values), 4L * count));
        world.allReduce(send, recv, count, MPI.INT, MPI.SUM);
        Driver.ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(values), recv, 4L * count));
        for (int i = 0; i < count; i++) {
            int sum = 0;
            for (int r = 0; r < size; r++) {
                sum += item(n, r, i);
            }
            is(sum, values[i], n, "item " + i + " of a sum of " + count + " ints");
        }
    }

    /** In place. */
    private static void greatestDouble(int n, int count) throws Exception {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = item(n, rank, i);
        }
        Driver.ok(JCudaDriver.cuMemcpyHtoD(recv, Pointer.to(values), 8L * count));
        world.allReduce(recv, count, MPI.DOUBLE, MPI.MAX);
        Driver.ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(values), recv, 8L * count));
        for (int i = 0; i < count; i++) {
            is(item(n, size - 1, i), (int) values[i], n, "item " + i + " of a maximum of " + count + " doubles");
        }
    }

    private static void bytesOfOne(int n, int count) throws Exception {
        int root = n % size;
        byte[] values = new byte[count];
        if (rank == root) {
            for (int i = 0; i < count; i++) {
                values[i] = (byte) item(n, root, i);
            }
        }
        Driver.ok(JCudaDriver.cuMemcpyHtoD(recv, Pointer.to(values), count));
        world.bcast(recv, count, MPI.BYTE, root);
        Driver.ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(values), recv, count));
        for (int i = 0; i < count; i++) {
            is((byte) item(n, root, i), values[i], n, "byte " + i + " of " + count + " from rank " + root);
        }
    }

    private static void intsOfAll(int n, int count) throws Exception {
        int[] values = new int[count * size];
        for (int i = 0; i < count; i++) {
            values[i] = item(n, rank, i);
        }
        Driver.ok(JCudaDriver.cuMemcpyHtoD(send, Pointer.to(values), 4L * count));
        world.allGather(send, count, MPI.INT, recv, count, MPI.INT);
        Driver.ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(values), recv, 4L * count * size));
        for (int i = 0; i < count * size; i++) {
            is(item(n, i / count, i % count), values[i], n, "item " + i + " of all ranks' " + count);
        }
    }

    // ---- claims ----

    /**
     * Calls of all kinds, with pauses of up to {@code micros}, of its own on each rank: about as long as a kernel
     * stays, so that it often leaves just then.
     */
    private static void mixed(int calls, int micros) throws Exception {
        SplittableRandom same = new SplittableRandom(5);
        SplittableRandom own = new SplittableRandom(rank);
        for (int n = 0; n < calls; n++) {
            int count = 1 + same.nextInt(n % 5 == 0 ? 5000 : 60);
            switch (same.nextInt(20)) {
                case 0 -> sumOfInts(n, LONG); // has a launch of its own
                case 1, 2, 3, 4, 5 -> greatestDouble(n, count);
                case 6, 7, 8 -> bytesOfOne(n, count);
                case 9, 10 -> intsOfAll(n, count);
                default -> sumOfInts(n, count);
            }
            if (micros > 0 && own.nextInt(3) == 0) {
                long until = System.nanoTime() + own.nextInt(2 * micros) * 1000L;
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    private static void many(int calls) throws Exception {
        for (int n = 0; n < calls; n++) {
            world.allReduce(send, recv, 4, MPI.INT, MPI.SUM);
        }
    }

    /**
     * While a kernel stays, the driver is not asked about the buffers of each call: only in the call that finds it
     * gone, and in the next.
     */
    private static void unasked(int calls) throws Exception {
        many(calls);
        long asked = DriverCounts.questions();
        long launched = DriverCounts.launches();
        many(calls);
        long questions = DriverCounts.questions() - asked;
        long most = 4 * (DriverCounts.launches() - launched + 1);
        is(1, questions <= most ? 1 : 0, calls, questions + " questions about addresses, no more than " + most);
    }

    /** Calls that wait for the device come back while a kernel stays, and it stays as well as before. */
    private static void driver() throws Exception {
        for (int n = 0; n < 20; n++) {
            sumOfInts(n, 10);
            Driver.ok(JCudaDriver.cuCtxSynchronize());
            sumOfInts(n, 10);
            CUdeviceptr other = Driver.allocate(100);
            Driver.ok(JCudaDriver.cuMemFree(other));
            sumOfInts(n, 10);
            Driver.kernel("brigade_push");
            freed(n);
        }
    }

    /** A call is made again and again, then with memory that has been freed, and with what lies there instead. */
    private static void freed(int n) throws Exception {
        CUdeviceptr mine = Driver.allocate(64);
        for (int i = 0; i < 5; i++) {
            world.allReduce(mine, recv, 4, MPI.INT, MPI.SUM);
        }
        Driver.ok(JCudaDriver.cuMemFree(mine));
        try {
            world.allReduce(mine, recv, 4, MPI.INT, MPI.SUM);
            throw new AssertionError("a call with memory that has been freed succeeds");
        } catch (MPIException freed) {
            is(1, freed.getMessage().contains("in no live allocation") ? 1 : 0, n, freed.getMessage());
        }
        CUdeviceptr other = send;
        send = Driver.allocate(64);
        for (int i = 0; i < 3; i++) {
            sumOfInts(n + i, 4 + i % 2);
        }
        Driver.ok(JCudaDriver.cuMemFree(send));
        send = other;
    }

    /** Two that take turns, and one that is freed while its kernel stays. */
    private static void communicators() throws Exception {
        for (int n = 0; n < 10; n++) {
            Intracomm other = world.dup();
            for (int i = 0; i < 5; i++) {
                sumOfInts(n, 10);
                other.bcast(recv, 10, MPI.INT, 0);
            }
            other.free();
        }
    }

    /**
     * Calls that the kernel serves ask nothing of the driver that waits for the device, on which the kernel is.
     */
    private static void steady(int calls) throws Exception {
        one();
        long stops = DriverCounts.stops();
        for (int n = 0; n < calls; n++) {
            one();
        }
        is(0, (int) (DriverCounts.stops() - stops), calls, "the number of calls that wait for the device");
    }

    /** As a program and the benchmark make calls: on the same buffers, with calls on host memory in between. */
    private static void one() throws Exception {
        world.barrier();
        world.allReduce(send, recv, 4, MPI.INT, MPI.SUM);
        world.bcast(send, 16, MPI.BYTE, 0);
        world.allGather(send, 8, MPI.INT, recv, 8, MPI.INT);
        world.allReduce(new double[] {1}, new double[1], 1, MPI.DOUBLE, MPI.MAX);
    }

    // ---- figures ----

    private static void times() throws Exception {
        for (int bytes : new int[] {16, 1024, 4096, 8192, 16384, 32768, 65536}) {
            figure("allreduce of " + bytes + " bytes", 1000,
                () -> world.allReduce(send, recv, bytes / 4, MPI.FLOAT, MPI.SUM), null);
        }
        Call small = () -> world.allReduce(send, recv, 4, MPI.FLOAT, MPI.SUM);
        figure("cuCtxSynchronize after a call", 200, () -> Driver.ok(JCudaDriver.cuCtxSynchronize()), small);
        CUdeviceptr[] memory = new CUdeviceptr[1];
        figure("cuMemFree after a call", 200, () -> Driver.ok(JCudaDriver.cuMemFree(memory[0])), () -> {
            memory[0] = Driver.allocate(1 << 20);
            small.make();
        });
        memory[0] = null;
        figure("cuMemAlloc after a call", 100, () -> memory[0] = Driver.allocate(1 << 20), () -> {
            if (memory[0] != null) {
                Driver.ok(JCudaDriver.cuMemFree(memory[0]));
            }
            small.make();
        });
        byte[] image = KernelImages.machineCode("move");
        figure("cuModuleLoadData after a call", 50,
            () -> Driver.ok(JCudaDriver.cuModuleLoadData(new CUmodule(), image)), small);
        figure("cuMemcpyDtoH of 64 bytes after a call", 200,
            () -> Driver.ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(new byte[64]), recv, 64)), small);
    }

    private interface Call {
        void make() throws Exception;
    }

    /** Prints rank 0's median, 90 % and most of a call, each after another one that is not counted. */
    private static void figure(String what, int calls, Call counted, Call before) throws Exception {
        double[] micros = new double[calls];
        for (int n = -calls / 10; n < calls; n++) {
            if (before != null) {
                before.make();
            }
            long begun = System.nanoTime();
            counted.make();
            if (n >= 0) {
                micros[n] = (System.nanoTime() - begun) / 1000.0;
            }
        }
        Arrays.sort(micros);
        if (rank == 0) {
            System.out.println(what + ": median " + round(micros[calls / 2]) + ", 90 % " + round(micros[calls * 9 / 10])
                + ", most " + round(micros[calls - 1]) + " us");
        }
    }

    private static double round(double micros) {
        return Math.round(micros * 10) / 10.0;
    }
}

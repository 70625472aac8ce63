package org.brigade.transport.cuda;

import static org.brigade.transport.cuda.Driver.ok;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUfunction;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUmodule;
import jcuda.driver.CUpointer_attribute;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import mpi.Intracomm;
import mpi.MPI;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.transport.cuda.driver.PinnedMemory;
import org.brigade.transport.cuda.ipc.IpcMemory;

/**
 * Two ranks, by hand, on two real GPUs: what the driver's calls cost of which small messages and collectives are made.
 * Rank 0 measures while rank 1 waits, and prints medians and the 90th percentiles in microseconds. Needs the test
 * classes and JCuda on the class path. The argument is a number of calls, 2000 if there is none.
 */
public final class DriverTimes {
    private static final int LONGEST = 1 << 20;
    /** Writes a value to an address in host memory: the shortest kernel that a host can wait for. */
    private static final String KERNELS = """
        .version 6.4
        .target sm_75
        .address_size 64
        .visible .entry times_word(.param .u64 to, .param .u64 value)
        {
            .reg .u64 %r<3>;
            ld.param.u64 %r1, [to];
            ld.param.u64 %r2, [value];
            st.volatile.global.u64 [%r1], %r2;
            ret;
        }
        """;

    private final int calls;
    private final CUstream stream = Driver.stream(CUstream_flags.CU_STREAM_NON_BLOCKING);
    private final CUevent event = new CUevent();
    private final PinnedMemory pinned = new PinnedMemory(4096);
    private final NativeMemory word = pinned.memory;
    private final CUdeviceptr wordOnDevice = Addresses.device(pinned.deviceAddress);
    private final CUdeviceptr mine;
    private final CUdeviceptr theirs;
    private final ByteBuffer plain = ByteBuffer.allocateDirect(LONGEST);
    private final CUfunction kernel = new CUfunction();
    private final ByteBuffer parameters = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
    private final Pointer kernelParameters;
    private long value;

    private interface Call {
        void make();
    }

    private DriverTimes(int calls, CUdeviceptr mine, CUdeviceptr theirs) {
        this.calls = calls;
        this.mine = mine;
        this.theirs = theirs;
        ok(JCudaDriver.cuEventCreate(event, CUevent_flags.CU_EVENT_DISABLE_TIMING));
        CUmodule module = new CUmodule();
        ok(JCudaDriver.cuModuleLoadData(module, KERNELS));
        ok(JCudaDriver.cuModuleGetFunction(kernel, module, "times_word"));
        // Two pointers to the two values, as the driver wants them.
        NativeMemory values = new NativeMemory(parameters);
        values.putLong(0, values.address() + 16);
        values.putLong(8, values.address() + 24);
        values.putLong(16, pinned.deviceAddress);
        kernelParameters = Addresses.host(values.address());
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        Driver.enter(rank % CudaDriver.devices());
        JCudaDriver.setExceptionsEnabled(false);
        CUdeviceptr mine = Driver.allocate(LONGEST);
        long[] handle = new long[8];
        ok(IpcMemory.export(Addresses.of(mine), handle));
        long[] handles = new long[16];
        world.allGather(handle, 8, MPI.LONG, handles, 8, MPI.LONG);
        long[] opened = new long[1];
        ok(IpcMemory.open(Arrays.copyOfRange(handles, 8 - 8 * rank, 16 - 8 * rank), opened));
        if (rank == 0) {
            System.out.println("us, median and 90th percentile");
            new DriverTimes(arguments.length == 0 ? 2000 : Integer.parseInt(arguments[0]), mine,
                Addresses.device(opened[0])).all();
        }
        world.barrier();
        MPI.Finalize();
    }

    private void all() {
        CUcontext context = new CUcontext();
        ok(JCudaDriver.cuCtxGetCurrent(context));
        Pointer answer = Pointer.to(ByteBuffer.allocateDirect(16));
        figure("cuCtxPushCurrent and cuCtxPopCurrent", () -> {
            ok(JCudaDriver.cuCtxPushCurrent(context));
            ok(JCudaDriver.cuCtxPopCurrent(new CUcontext()));
        });
        figure("cuPointerGetAttribute, the buffer's id", () -> ok(JCudaDriver.cuPointerGetAttribute(answer,
            CUpointer_attribute.CU_POINTER_ATTRIBUTE_BUFFER_ID, mine)));
        figure("launch: the call alone", () -> {
            launch();
            spin(); // outside the clock: see part
        }, this::launch);
        figure("launch, until the host sees the kernel's word", () -> {
            launch();
            spin();
        });
        figure("launch, until cuStreamSynchronize returns", () -> {
            launch();
            synchronize();
        });
        System.out.printf(Locale.ROOT, "%-62s %7.2f%n", "the same kernel, each of many in a graph", inGraph());
        figure("cuStreamWriteValue64, until the host sees it", () -> {
            write();
            spin();
        });
        for (int bytes : new int[] {16, 4 << 10, 64 << 10, 1 << 20}) {
            copies("pull of " + bytes, () -> ok(JCudaDriver.cuMemcpyDtoDAsync(mine, theirs, bytes, stream)));
            copies("push of " + bytes, () -> ok(JCudaDriver.cuMemcpyDtoDAsync(theirs, mine, bytes, stream)));
        }
        for (int bytes : new int[] {16, 4 << 10, 64 << 10}) {
            Pointer host = Pointer.to(plain);
            figure("to pageable host memory, " + bytes + ", synchronized", () -> {
                ok(JCudaDriver.cuMemcpyDtoHAsync(host, mine, bytes, stream));
                synchronize();
            });
            figure("from pageable host memory, " + bytes + ", synchronized", () -> {
                ok(JCudaDriver.cuMemcpyHtoDAsync(mine, host, bytes, stream));
                synchronize();
            });
        }
        Pointer locked = pinned.at(64);
        copies("to page-locked host memory, 16", () -> ok(JCudaDriver.cuMemcpyDtoHAsync(locked, mine, 16, stream)));
        copies("from page-locked host memory, 16", () -> ok(JCudaDriver.cuMemcpyHtoDAsync(mine, locked, 16, stream)));
    }

    /** A copy and the ways of a host to see its end. */
    private void copies(String what, Call copy) {
        figure(what + ": the call alone", () -> {
            copy.make();
            write();
            spin();
        }, copy);
        figure(what + ", and a word that the host watches", () -> {
            copy.make();
            write();
            spin();
        });
        figure(what + ", and an event that the host asks", () -> {
            copy.make();
            ok(JCudaDriver.cuEventRecord(event, stream));
            while (JCudaDriver.cuEventQuery(event) == CUresult.CUDA_ERROR_NOT_READY) {
                Thread.onSpinWait();
            }
        });
        figure(what + ", and cuStreamSynchronize", () -> {
            copy.make();
            synchronize();
        });
    }

    private double inGraph() {
        int captured = 50;
        ok(JCudaDriver.cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
        for (int i = 0; i < captured; i++) {
            launch();
        }
        CUgraph graph = new CUgraph();
        CUgraphExec replay = new CUgraphExec();
        ok(JCudaDriver.cuStreamEndCapture(stream, graph));
        ok(JCudaDriver.cuGraphInstantiate(replay, graph, 0));
        CUevent begin = new CUevent();
        CUevent end = new CUevent();
        ok(JCudaDriver.cuEventCreate(begin, CUevent_flags.CU_EVENT_DEFAULT));
        ok(JCudaDriver.cuEventCreate(end, CUevent_flags.CU_EVENT_DEFAULT));
        double[] micros = new double[21];
        float[] millis = new float[1];
        for (int i = 0; i < micros.length; i++) {
            ok(JCudaDriver.cuEventRecord(begin, stream));
            ok(JCudaDriver.cuGraphLaunch(replay, stream));
            ok(JCudaDriver.cuEventRecord(end, stream));
            synchronize();
            ok(JCudaDriver.cuEventElapsedTime(millis, begin, end));
            micros[i] = millis[0] * 1000 / captured;
        }
        Arrays.sort(micros);
        return micros[micros.length / 2];
    }

    private void launch() {
        parameters.putLong(24, ++value);
        ok(JCudaDriver.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, kernelParameters, null));
    }

    private void write() {
        ok(JCudaDriver.cuStreamWriteValue64(stream, wordOnDevice, ++value, 0));
    }

    private void spin() {
        while (word.getLongAcquire(0) != value) {
            Thread.onSpinWait();
        }
    }

    private void synchronize() {
        ok(JCudaDriver.cuStreamSynchronize(stream));
    }

    private void figure(String what, Call call) {
        figure(what, call, null);
    }

    /** @param part what is timed of the call, made before the call itself; null: all of it */
    private void figure(String what, Call call, Call part) {
        double[] micros = new double[calls];
        for (int i = -calls / 2; i < calls; i++) {
            long begun = System.nanoTime();
            if (part != null) {
                part.make();
            } else {
                call.make();
            }
            long ended = System.nanoTime();
            if (part != null) {
                call.make();
            }
            if (i >= 0) {
                micros[i] = (ended - begun) / 1000.0;
            }
        }
        Arrays.sort(micros);
        System.out.printf(Locale.ROOT, "%-62s %7.2f %7.2f%n", what, micros[calls / 2], micros[calls * 9 / 10]);
    }
}

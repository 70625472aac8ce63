package org.brigade.transport.cuda;

import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.DeviceCatalogue;
import org.brigade.device.DeviceCall;
import org.brigade.select.ResidentMode;
import org.brigade.transport.cuda.Kernels.Kernel;

/**
 * Small collectives of one group without a launch each: a kernel on the group's stream that takes them from a {@link Doorbell}, for as long as they keep coming. It does what {@code packets}
 * does, in the same scratch memory, so members need not agree on who of them launches and who does not.
 *
 * <p>There are several of these kernels, one for each datatype, and each moves bytes as well; another type's call changes them, which costs a launch. Anything else on the stream comes behind
 * the kernel, so whoever launches says {@link #leave} first.
 *
 * <p>Everything under the group's rule: one call at a time.
 */
final class ResidentKernel implements LaunchWait.Ending {
    private static final int THREADS = 512;
    /** A kernel that is never idle goes after so long all the same, and lets in who waits for the device. A launch more in so long is not felt. */
    private static final long MOST_NANOS = 10_000_000;
    private static final int ARGUMENTS = 128;

    // What struct Resident of call.cuh has behind its struct Call.
    static final int DOORBELL = CallArguments.SIZE;
    static final int LEFT = DOORBELL + 8;
    static final int NUMBER = DOORBELL + 16;
    static final int IDLE = DOORBELL + 24;
    static final int MOST = DOORBELL + 32;
    static final int SEQUENCE = DOORBELL + 40;
    static final int PASSED = DOORBELL + 44;
    static final int SIZE = DOORBELL + 48;

    static final int PLACE = 32;
    static final int LEAVE = 33;

    private final Gpu gpu;
    private final CUstream stream;
    private final ResidentMode mode;
    private final PinnedMemory pinned;
    private final CallArguments arguments;
    private final Doorbell doorbell;
    private final ResidentCall told = new ResidentCall();
    // Of the reductions seen, by identity; the last one is usually the next.
    private TypeLayout type;
    private Reduction op;
    private Kernel reducing;
    private int operation;

    /** What runs now, or ran last. */
    private Kernel kernel;
    /** Launches so far, the number of the last. */
    private long launches;
    private boolean leaving;
    /** Calls of all blocks so far. */
    private int passed;

    /** With the context current; {@code base} are the arguments of the group's launches, as far as they never change. */
    ResidentKernel(Gpu gpu, CUstream stream, ResidentMode mode, int rank, long[] scratches, long abortAddress) {
        this.gpu = gpu;
        this.stream = stream;
        this.mode = mode;
        pinned = new PinnedMemory(ARGUMENTS + 8 + SIZE);
        doorbell = new Doorbell(pinned.memory);
        arguments = new CallArguments(pinned, ARGUMENTS);
        arguments.putInt(CallArguments.RANK, rank);
        arguments.putInt(CallArguments.RANKS, scratches.length);
        arguments.putLongs(CallArguments.SCRATCH, scratches, scratches.length);
        arguments.putLong(CallArguments.ABORT, abortAddress);
        arguments.putLong(CallArguments.FINISHED, pinned.deviceAddress + Doorbell.FINISHED);
        arguments.putLong(DOORBELL, pinned.deviceAddress);
        arguments.putLong(LEFT, pinned.deviceAddress + Doorbell.LEFT);
        arguments.putLong(IDLE, mode.idleNanos());
        arguments.putLong(MOST, MOST_NANOS);
    }

    /** Whether a call may come here, as far as all ranks know. */
    private boolean isFor(DeviceCall call) {
        return call.choice.algorithm().name().equals(DeviceCatalogue.PACKETS) && call.bytes <= mode.mostBytes();
    }

    /**
     * Loads what a call will need.
     *
     * @throws mpi.MPIException if that cannot be had
     */
    void prepare(DeviceCall call) {
        if (isFor(call)) {
            kernelFor(call);
        }
    }

    private Kernel kernelFor(DeviceCall call) {
        if (!call.collective.reduces) {
            return kernel != null ? kernel : gpu.kernels().resident(null);
        }
        if (call.type != type || call.op != op) {
            reducing = gpu.kernels().resident(KernelType.of(call.type, call.op.operator));
            operation = KernelType.code(call.op.operator);
            type = call.type;
            op = call.op;
        }
        return reducing;
    }

    /** Whether this is where a call is done; then {@link #ring} is next. */
    boolean takes(DeviceCall call, Blocks blocks) {
        return isFor(call) && told.take(blocks, mode.mostBytes());
    }

    /**
     * Begins the call that was taken last.
     *
     * @param flags as in CallArguments
     */
    void ring(DeviceCall call, int flags, long send, long recv) {
        Kernel wanted = kernelFor(call);
        if (wanted != kernel && isPresent()) {
            leave();
        }
        if (leaving) {
            awaitLeft();
        }
        boolean all = mode.blocks() > 1 && told.bytes > mode.singleBytes();
        passed += all ? 1 : 0;
        int what = (call.collective.reduces ? operation : PLACE) | flags << 8 | told.masks << 16;
        doorbell.ring(what, told.bytes, all ? passed : 0, send, told.sendStep, recv, told.recvStep);
        kernel = wanted;
        if (!isPresent()) {
            launch(all);
        }
    }

    /** Whether a kernel is there that may still take what is on the doorbell. */
    private boolean isPresent() {
        return launches > 0 && !leaving && !doorbell.hasLeft(launches);
    }

    private void launch(boolean all) {
        leaving = false;
        arguments.putLong(NUMBER, ++launches);
        arguments.putInt(SEQUENCE, doorbell.number());
        arguments.putInt(PASSED, all ? passed - 1 : passed);
        lastWasAll = all;
        gpu.enter();
        try {
            CudaResult.check(JCudaDriver.cuLaunchKernel(kernel.function, mode.blocks(), 1, 1, Math.min(THREADS, kernel.mostThreads), 1, 1, 0, stream, arguments.parameters(), null),
                "launching " + kernel.name);
        } finally {
            gpu.leave();
        }
    }

    /** Whether the call that was rung last is done. */
    @Override
    public boolean isOver() {
        if (doorbell.isAnswered()) {
            return true;
        }
        // Looked at in this order: what left after it had answered, had answered.
        if (!doorbell.hasLeft(launches)) {
            return false;
        }
        if (doorbell.isAnswered()) {
            return true;
        }
        launch(lastWasAll);
        return false;
    }

    @Override
    public boolean isLost() {
        return !doorbell.hasLeft(launches) && !doorbell.isAnswered();
    }

    /** Tells the kernel to go, without waiting. The last call is done. */
    void leave() {
        if (isPresent()) {
            doorbell.ring(LEAVE, 0, 0, 0, 0, 0, 0);
            leaving = true;
        }
    }

    /** Until the doorbell is free for another kernel's calls. */
    private void awaitLeft() {
        for (int looks = 1; !doorbell.hasLeft(launches); looks++) {
            if (looks % 4096 == 0 && !isRunning()) {
                break;
            }
            Thread.onSpinWait();
        }
        leaving = false;
    }

    private boolean isRunning() {
        gpu.enter();
        try {
            return CudaResult.query(stream) == CUresult.CUDA_ERROR_NOT_READY;
        } finally {
            gpu.leave();
        }
    }

    /** Nothing may run on the stream any more when this frees its memory, so it waits for that. With the context current. */
    void close() {
        leave();
        long begun = System.nanoTime();
        while (isRunning() && System.nanoTime() - begun < 2_000_000_000L) {
            Thread.onSpinWait();
        }
        pinned.free();
    }
}

package org.brigade.transport.cuda.group;

import java.util.Arrays;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.ErrorClass;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.device.DeviceCall;
import org.brigade.memory.NativeMemory;
import org.brigade.select.ResidentMode;
import org.brigade.transport.cuda.driver.CudaInventory;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.kernel.Blocks;
import org.brigade.transport.cuda.kernel.CallArguments;
import org.brigade.transport.cuda.kernel.KernelType;
import org.brigade.transport.cuda.kernel.Kernels;
import org.brigade.transport.cuda.kernel.Kernels.Kernel;

/**
 * Small collectives of one group without a launch each: a kernel on the group's stream that takes them from a
 * {@link Doorbell}, for as long as they keep coming. It does what {@code packets} does, in the same scratch memory, so
 * members need not agree on who of them launches and who does not.
 *
 * <p>
 * There are several of these kernels, one for each datatype, and each moves bytes as well; another type's call changes
 * them, which costs a launch. Anything else on the stream comes behind the kernel, so whoever launches says
 * {@link #leave} first.
 *
 * <p>
 * Everything under the group's rule: one call at a time.
 */
public final class ResidentKernel {
    private static final int THREADS = 512;
    /**
     * A kernel that is never idle goes after so many times all the same, and lets in who waits for the device. A launch
     * more in so long is not felt.
     */
    private static final int MOST_IDLES = 50;
    /** How long a kernel may take to go when it is told. */
    private static final long GOING_NANOS = 2_000_000_000L;

    // What struct Resident of call.cuh has behind its struct Call.
    static final int DOORBELL = CallArguments.SIZE;
    static final int LEFT = DOORBELL + 8;
    static final int NUMBER = DOORBELL + 16;
    static final int IDLE = DOORBELL + 24;
    static final int MOST = DOORBELL + 32;
    static final int SEQUENCE = DOORBELL + 40;
    static final int PASSED = DOORBELL + 44;
    static final int SIZE = DOORBELL + 48;

    /** What this takes of the group's page-locked memory, the doorbell first. */
    static final int STRETCH = Doorbell.BYTES + 8 + SIZE;

    public static final int PLACE = 32;
    public static final int LEAVE = 33;
    public static final int SEND_SIDE_BY_SIDE = 64;
    public static final int RECV_SIDE_BY_SIDE = 128;

    private final Gpu gpu;
    private final CUstream stream;
    private final ResidentMode mode;
    private final NativeMemory pinned;
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
    /** The last call's. */
    private long ticket;
    /** Whether all blocks do the last call. */
    private boolean all;
    /** Calls of all blocks so far. */
    private int passed;

    /**
     * @param rank of this member
     * @param scratches by rank: every member's, as mapped here
     */
    ResidentKernel(Gpu gpu, CudaGroup.Resources resources, ResidentMode mode, int rank, long[] scratches) {
        this.gpu = gpu;
        this.stream = resources.stream;
        this.mode = mode;
        this.pinned = resources.pinned.memory;
        long address = resources.pinned.deviceAddress;
        doorbell = new Doorbell(pinned, CudaGroup.RESIDENT);
        arguments = new CallArguments(resources.pinned, CudaGroup.RESIDENT + Doorbell.BYTES);
        arguments.putInt(CallArguments.RANK, rank);
        arguments.putInt(CallArguments.RANKS, scratches.length);
        arguments.putLongs(CallArguments.SCRATCH, scratches, scratches.length);
        arguments.putLong(CallArguments.ABORT, address + CudaGroup.ABORT);
        arguments.putLong(CallArguments.FINISHED, address + CudaGroup.FINISHED);
        arguments.putLong(DOORBELL, address + CudaGroup.RESIDENT);
        arguments.putLong(LEFT, address + CudaGroup.LEFT);
        arguments.putLong(IDLE, mode.idleNanos());
        arguments.putLong(MOST, MOST_IDLES * mode.idleNanos());
    }

    /**
     * Why a group goes without, with the cure; null if it need not. A kernel that polls beside another rank's on one
     * GPU would take its time from it, and lazy loading of any kernel of the program would wait for ours, in the middle
     * of a collective even for ever.
     */
    static String refusal(byte[][] uuids) {
        for (int member = 0; member < uuids.length; member++) {
            for (int other = 0; other < member; other++) {
                if (Arrays.equals(uuids[member], uuids[other])) {
                    return "ranks share a GPU; start no more ranks than there are GPUs";
                }
            }
        }
        return CudaInventory.lazyLoading();
    }

    /** Whether a call may come here, as far as all ranks know. */
    private boolean isFor(DeviceCall call) {
        return call.choice.algorithm().resident() && call.bytes <= mode.mostBytes();
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
            return kernel != null ? kernel : Kernels.of(gpu).resident(null);
        }
        if (call.type != type || call.op != op) {
            reducing = Kernels.of(gpu).resident(KernelType.of(call.type, call.op.operator));
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
     * @param number the call's ticket, one more than the last call's if that came here too
     * @param flags as in CallArguments
     */
    void ring(DeviceCall call, long number, int flags, long send, long recv) {
        Kernel wanted = kernelFor(call);
        if (wanted != kernel) {
            leave();
        }
        if (leaving) {
            awaitLeft();
        }
        ticket = number;
        all = mode.blocks() > 1 && told.bytes > mode.singleBytes();
        passed += all ? 1 : 0;
        int code = (call.collective.reduces ? operation : PLACE) | (told.sendSideBySide ? SEND_SIDE_BY_SIDE : 0)
            | (told.recvSideBySide ? RECV_SIDE_BY_SIDE : 0)
            | flags << 8 | told.masks << 16;
        doorbell.ring(ticket, code, told.bytes, all ? passed : 0, send, recv);
        kernel = wanted;
        if (launches == 0) {
            launch();
        } else {
            turn(); // a kernel that has gone by now may have done this call first
        }
    }

    /** Whether a kernel is there that may still take what is on the doorbell. */
    private boolean isPresent() {
        return launches > 0 && !leaving && !hasLeft();
    }

    /**
     * Whether the last kernel takes no more calls. If it does not, and the call on the doorbell is not finished when
     * asked after this, nothing of that call has been begun.
     */
    boolean hasLeft() {
        return pinned.getLongAcquire(CudaGroup.LEFT) == launches;
    }

    /** For the call on the doorbell. */
    private void launch() {
        arguments.putLong(NUMBER, ++launches);
        arguments.putLong(CallArguments.TICKET, ticket);
        arguments.putInt(SEQUENCE, (int) ticket);
        arguments.putInt(PASSED, all ? passed - 1 : passed);
        gpu.enter();
        try {
            CudaResult.check(
                JCudaDriver.cuLaunchKernel(kernel.function, mode.blocks(), 1, 1, Math.min(THREADS, kernel.mostThreads),
                    1, 1, 0, stream, arguments.parameters(), null),
                "launching " + kernel.name);
        } finally {
            gpu.leave();
        }
    }

    /** While the last call is not finished: looks whether its kernel went before it saw it, and sends another one. */
    void turn() {
        if (hasLeft() && pinned.getLongAcquire(CudaGroup.FINISHED) != ticket) {
            launch();
        }
    }

    /** Tells the kernel to go, without waiting. The last call is finished. */
    void leave() {
        if (isPresent()) {
            doorbell.ring(ticket + 1, LEAVE, 0, 0, 0, 0);
            leaving = true;
        }
    }

    /** Until the doorbell may be written for another kernel. */
    private void awaitLeft() {
        if (!isGone()) {
            throw ErrorClass.INTERN.in("device memory",
                "a resident kernel on " + gpu + " does not go; set brigade.device.resident=off and report this");
        }
        leaving = false;
    }

    private boolean isGone() {
        long begun = System.nanoTime();
        for (int looks = 1; !hasLeft(); looks++) {
            if (looks % 1024 == 0 && System.nanoTime() - begun > GOING_NANOS) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    /** Tells the kernel to go, and waits for that: what it reads may be freed then. Never throws. */
    void close() {
        leave();
        isGone();
    }
}

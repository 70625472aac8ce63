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
import org.brigade.transport.cuda.driver.Stay;
import org.brigade.transport.cuda.kernel.Blocks;
import org.brigade.transport.cuda.kernel.CallArguments;
import org.brigade.transport.cuda.kernel.Doorbell;
import org.brigade.transport.cuda.kernel.KernelType;
import org.brigade.transport.cuda.kernel.Kernels.Kernel;
import org.brigade.transport.cuda.kernel.Kernels;

/**
 * Small collectives of one group without a launch each: a kernel on the group's stream takes them from a
 * {@link Doorbell} as long as they keep coming. It does what {@code packets} does, in the same scratch memory, so
 * members need not agree on which of them launch.
 *
 * <p>
 * There is one such kernel for each datatype, and each moves bytes as well. A call with another type changes the
 * kernel, which costs a launch. Other work on the stream comes after the kernel, so any other launch first calls
 * {@link #leave}.
 *
 * <p>
 * The group's rule applies to everything here: one call at a time.
 */
public final class ResidentKernel {
    /** As RESIDENT_THREADS of resident.cuh. */
    private static final int THREADS = 256;
    /**
     * A kernel that is never idle ends after so many idle times nevertheless, and lets others use the device. Another
     * launch after so long does not matter.
     */
    private static final int MOST_IDLES = 50;
    /** How long a kernel may take to end when it is told to. */
    private static final long GOING_NANOS = 2_000_000_000L;

    // The fields of struct Resident of call.cuh after its struct Call.
    static final int DOORBELL = CallArguments.SIZE;
    static final int LEFT = DOORBELL + 8;
    static final int NUMBER = DOORBELL + 16;
    static final int IDLE = DOORBELL + 24;
    static final int MOST = DOORBELL + 32;
    static final int SEQUENCE = DOORBELL + 40;
    static final int PASSED = DOORBELL + 44;
    static final int SIZE = DOORBELL + 48;

    /** Bytes of the group's page-locked memory for this class, the doorbell first. */
    static final int STRETCH = Doorbell.BYTES + CallArguments.LIST + SIZE;

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
    // By reduction, looked through by identity; the last one is usually the next.
    private TypeLayout type;
    private Reduction op;
    private Kernel reducing;
    private int operation;

    /** The running kernel, or the last one. */
    private Kernel kernel;
    /** Launches so far, the number of the last. */
    private long launches;
    private boolean leaving;
    /** The last call's ticket. */
    private long ticket;
    /** Whether all thread blocks do the last call. */
    private boolean all;
    /** Number of calls of all thread blocks so far. */
    private int passed;
    // Of the last call, as the doorbell has them.
    private int code;
    private long send;
    private long recv;
    /** The last launch; null before the first. */
    private Stay stay;

    /**
     * @param at offset of {@link #STRETCH} bytes of its own, a multiple of 64
     * @param finished offset of the word where kernels write the ticket of the last ended call
     * @param left offset of the word where resident kernels write their number when they have ended
     * @param abort offset of the word that makes kernels give up
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
     * Why a group has no resident kernel, with the cure; null if it may have one. A kernel that polls beside another
     * rank's on one GPU would take time from it. Lazy loading of any kernel of the program would wait for ours, in the
     * middle of a collective even for ever.
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

    /** Whether a call may come here, by facts that all ranks know. */
    private boolean isFor(DeviceCall call) {
        return call.choice.algorithm().resident() && call.bytes <= mode.mostBytes()
            && (call.op == null || KernelType.code(call.op.operator) >= 0);
    }

    /**
     * Loads what a call will need.
     *
     * @throws mpi.MPIException if loading fails
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

    /** Whether the resident kernel does the call; then {@link #ring} is next. */
    boolean takes(DeviceCall call, Blocks blocks) {
        return isFor(call) && told.take(blocks, mode.mostBytes());
    }

    /**
     * Begins the call that was taken last.
     *
     * @param number the call's ticket, one more than the last call's if that was served here, too
     * @param flags as in CallArguments
     */
    void ring(DeviceCall call, long number, int flags, long sendAddress, long recvAddress) {
        Kernel wanted = kernelFor(call);
        if (wanted != kernel) {
            leave();
        }
        kernel = wanted;
        send = sendAddress;
        recv = recvAddress;
        all = mode.blocks() > 1 && told.bytes > mode.singleBytes();
        code = (call.collective.reduces ? operation : PLACE) | (told.sendSideBySide ? SEND_SIDE_BY_SIDE : 0)
            | (told.recvSideBySide ? RECV_SIDE_BY_SIDE : 0)
            | flags << 8 | told.masks << 16;
        ringAgain(number);
    }

    /** Begins the call that was begun last anew, under another ticket. */
    void ringAgain(long number) {
        if (leaving) {
            awaitLeft();
        }
        ticket = number;
        passed += all ? 1 : 0;
        doorbell.ring(ticket, code, told.bytes, all ? passed : 0, send, recv);
        if (launches == 0) {
            launch();
        } else {
            turn(); // a kernel that has ended by now may have done this call first
        }
    }

    /** Whether a kernel runs that may still take the call on the doorbell. */
    private boolean isPresent() {
        return launches > 0 && !leaving && !hasLeft();
    }

    /**
     * Whether the last kernel takes no more calls. If so, and the call on the doorbell is found unfinished after this,
     * nothing of that call has begun.
     */
    boolean hasLeft() {
        return pinned.getLongAcquire(CudaGroup.LEFT) == launches;
    }

    /** Launches a kernel for the call on the doorbell. */
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
        isNoProof(); // the one before: whoever still holds it must not read memory that is freed
        stay = new Stay(pinned, CudaGroup.LEFT, launches);
        gpu.stay = stay;
    }

    /** While the last call is unfinished: launches another kernel if the last one ended before it saw the call. */
    void turn() {
        if (hasLeft() && pinned.getLongAcquire(CudaGroup.FINISHED) != ticket) {
            launch();
        }
    }

    /** Tells the kernel to end, without waiting. The last call is finished. */
    void leave() {
        if (isPresent()) {
            doorbell.ring(ticket + 1, LEAVE, 0, 0, 0, 0);
            leaving = true;
        }
    }

    /** Waits until the doorbell may be written for another kernel. */
    private void awaitLeft() {
        if (!isGone()) {
            throw ErrorClass.INTERN.in("device memory",
                "a resident kernel on " + gpu + " does not end; set brigade.device.resident=off and report this");
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

    /** Tells the kernel to end, and waits for that: what it reads may be freed then. Never throws. */
    void close() {
        leave();
        isGone();
    }

    /** Nobody relies on the kernel any more. */
    void isNoProof() {
        if (stay != null) {
            stay.end();
        }
    }
}

package org.brigade.transport.cuda.copy;

import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.ErrorClass;
import org.brigade.memory.NativeMemory;
import org.brigade.setting.Setting;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.driver.PinnedMemory;
import org.brigade.transport.cuda.kernel.Doorbell;
import org.brigade.transport.cuda.kernel.Kernels;
import org.brigade.transport.cuda.kernel.Kernels.Kernel;

/**
 * Copies of short messages on one GPU, by a kernel that stays between messages that follow each other closely. It takes
 * them from a {@link Doorbell}, as a resident kernel takes collectives, and so needs neither a launch nor the copy
 * engine: 4 to 5 us instead of 10 on H200s. It waits for nobody but this host, and leaves when it has had nothing to do
 * for {@code brigade.cuda.stay} microseconds.
 *
 * <p>
 * While it stays, whatever waits for the whole device waits for it. A program that does so between its messages must
 * not pay for each: the kernel comes only when many messages in a row have followed each other within that time. If it
 * has left for want of messages before it had carried enough to be worth the stay, twice as many must do so before it
 * comes again, else half as many.
 *
 * <pre>
 * page-locked   0  the doorbell                                                host
 *              64  done: the number of the last copy that has ended            kernel
 *             128  left: the number of the last kernel that has gone           kernel
 *             192  the parameters of the next launch                           host
 * </pre>
 */
final class ShortCopies {
    /** Longer messages are left to the copy engine. */
    static final long MOST_BYTES = 64 << 10;
    /** Where source and target lie differently within words, a longer one takes longer by single bytes. */
    private static final long MOST_SINGLE_BYTES = 1 << 10;
    private static final int WORD = 4;
    private static final int THREADS = 512;
    /** A kernel that is never idle ends after so many idle times nevertheless, and lets others have the device. */
    private static final int MOST_IDLES = 50;
    /** A copy less by the copy engine saves about 3 us, and a stay in vain may cost what waits for the device 100. */
    private static final int WORTH_A_STAY = 32;
    private static final int FEWEST_CLOSE = 8;
    private static final int MOST_CLOSE = 4096;
    private static final int LOOKS_A_QUERY = 512;
    private static final long GOING_NANOS = 2_000_000_000L;

    private static final int DONE = 64;
    private static final int LEFT = 128;
    private static final int ARGUMENTS = 192;
    private static final int PINNED_BYTES = ARGUMENTS + CarryArguments.STRETCH;

    private static final int CARRIES = 1;
    private static final int LEAVES = 2;

    private final Gpu gpu;
    private final long idleNanos;
    private final PinnedMemory pinned;
    private final NativeMemory memory;
    private final CUstream stream;
    private final Kernel kernel;
    private final Doorbell doorbell;
    private final CarryArguments arguments;
    /** The number of the last copy. */
    private long ticket;
    /** Launches so far, the number of the last. */
    private long launches;
    /** The device has failed. */
    private boolean broken;
    private boolean retired;
    private int looks;
    // Messages in a row that came closely, and how many there must be.
    private int close;
    private int wanted = FEWEST_CLOSE;
    private long before = System.nanoTime();
    /** The first copy of the kernel that stays. */
    private long first;
    /** Whether the last kernel launched has not been seen to have left. */
    private boolean stays;

    /**
     * Needs the GPU's context current.
     *
     * @throws mpi.MPIException if the GPU cannot run the kernel
     */
    ShortCopies(Gpu gpu, long idleNanos) {
        this.gpu = gpu;
        this.idleNanos = idleNanos;
        kernel = Kernels.of(gpu).carrying();
        pinned = new PinnedMemory(PINNED_BYTES);
        memory = pinned.memory;
        stream = gpu.newStream();
        doorbell = new Doorbell(memory, 0);
        arguments = new CarryArguments(pinned, ARGUMENTS);
        arguments.putLong(CarryArguments.DOORBELL, pinned.deviceAddress);
        arguments.putLong(CarryArguments.DONE, pinned.deviceAddress + DONE);
        arguments.putLong(CarryArguments.LEFT, pinned.deviceAddress + LEFT);
        arguments.putLong(CarryArguments.IDLE, idleNanos);
        arguments.putLong(CarryArguments.MOST, MOST_IDLES * idleNanos);
    }

    /** How long a kernel stays without a message; 0: none does. */
    static long idleNanos() {
        return Setting.number("cuda.stay") * 1000;
    }

    /**
     * Begins a copy from a peer's memory as mapped here. Returns its number; 0, with nothing done, if the copy engine
     * is to make it.
     *
     * @throws mpi.MPIException if a launch fails
     */
    synchronized long begin(long target, long source, long bytes) {
        long now = System.nanoTime();
        boolean soon = now - before < idleNanos;
        before = now;
        close = soon ? Math.min(close + 1, MOST_CLOSE) : 0;
        if (broken || retired || memory.getLongAcquire(DONE) != ticket
            || ((target ^ source) & WORD - 1) != 0 && bytes > MOST_SINGLE_BYTES) {
            return 0;
        }
        boolean goesOn = false;
        if (stays && hasLeft()) {
            stays = false;
            goesOn = soon;
            if (!soon) {
                wanted = ticket - first < WORTH_A_STAY ? Math.min(2 * wanted, MOST_CLOSE)
                    : Math.max(wanted / 2, FEWEST_CLOSE);
            }
        }
        if (!stays && close < wanted) {
            return 0;
        }
        arguments.putLong(CarryArguments.TICKET, ++ticket);
        arguments.putLong(CarryArguments.SOURCE, source);
        arguments.putLong(CarryArguments.TARGET, target);
        arguments.putLong(CarryArguments.BYTES, bytes);
        if (stays) {
            doorbell.ring(ticket, CARRIES, (int) bytes, 0, source, target);
            turn(); // a kernel that has left by now may have done this copy first
        } else {
            first = goesOn ? first : ticket;
            launch();
        }
        return ticket;
    }

    /**
     * Whether the kernel takes no more copies. If so, and the last one is found unfinished after this, nothing of it
     * has begun.
     */
    private boolean hasLeft() {
        return memory.getLongAcquire(LEFT) == launches;
    }

    /** Launches a kernel for the last copy. */
    private void launch() {
        arguments.putLong(CarryArguments.NUMBER, ++launches);
        stays = true;
        gpu.enter();
        try {
            CudaResult.check(JCudaDriver.cuLaunchKernel(kernel.function, 1, 1, 1,
                Math.min(THREADS, kernel.mostThreads), 1, 1, 0, stream, arguments.parameters(), null),
                "launching " + kernel.name + " on " + gpu);
        } catch (RuntimeException e) {
            broken = true;
            throw e;
        } finally {
            gpu.leave();
        }
    }

    /** While the last copy is unfinished: launches another kernel if the last one left before it saw the copy. */
    private void turn() {
        if (hasLeft() && memory.getLongAcquire(DONE) != ticket) {
            launch();
        }
    }

    /**
     * Whether a copy has not ended.
     *
     * @throws mpi.MPIException if the device has failed
     */
    synchronized boolean isRunning(long number) {
        if (memory.getLongAcquire(DONE) >= number) {
            return false;
        }
        if (broken) {
            throw failed(CUresult.CUDA_ERROR_LAUNCH_FAILED);
        }
        turn();
        if (++looks % LOOKS_A_QUERY == 0) {
            int result = CudaResult.query(stream);
            boolean ended = result == CUresult.CUDA_SUCCESS && !hasLeft() && memory.getLongAcquire(DONE) < number;
            if (ended || result != CUresult.CUDA_SUCCESS && result != CUresult.CUDA_ERROR_NOT_READY) {
                throw failed(ended ? CUresult.CUDA_ERROR_LAUNCH_FAILED : result);
            }
        }
        return true;
    }

    private RuntimeException failed(int result) {
        broken = true;
        return CudaResult.failure(result, "a copy between ranks on " + gpu);
    }

    /** Waits for a copy whose caller does not look any more. Never throws. */
    void await(long number) {
        try {
            while (isRunning(number)) {
                Thread.onSpinWait();
            }
        } catch (RuntimeException failed) {
            // Then the context is gone, and nothing runs.
        }
    }

    /** From now on the copy engine makes all copies. */
    synchronized void retire() {
        retired = true;
    }

    /** Makes the kernel leave, waits for that, and frees all. No copy is under way. Never throws. */
    void end() {
        try {
            gpu.enter();
            try {
                free();
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException e) {
            // The context is gone, and everything in it.
        }
    }

    private synchronized void free() {
        if (launches > 0 && !broken && !hasLeft()) {
            doorbell.ring(ticket + 1, LEAVES, 0, 0, 0, 0);
            long begun = System.nanoTime();
            while (!hasLeft()) {
                if (System.nanoTime() - begun > GOING_NANOS) {
                    throw ErrorClass.INTERN.in("device memory", "a kernel for messages on " + gpu + " does not end");
                }
                Thread.onSpinWait();
            }
        }
        JCudaDriver.cuStreamDestroy(stream);
        pinned.free();
    }
}

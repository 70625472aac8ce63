package org.brigade.transport.cuda.group;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jcuda.Pointer;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.ErrorClass;
import org.brigade.device.DeviceGroup.Waiting;
import org.brigade.interrupt.Nap;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.kernel.CallArguments;

/**
 * Waits for the end of a launch by looking at a word in host memory that the kernel writes, as asking the stream takes
 * longer than a short kernel. If that takes long, it asks the driver for errors and checks the peers' health.
 */
public final class LaunchWait {
    private static final int SPINS_A_LOOK = 64;
    private static final long SPINNING_NANOS = 50_000;
    /** Between the end of a peer's memory and that of its process. */
    private static final long DYING_NANOS = 200_000_000L;
    private static final long HEALTH_NANOS = 20_000_000;
    /** How long a kernel may take to give up; it looks at the word every few microseconds. */
    private static final long GIVING_UP_NANOS = 2_000_000_000L;

    private final CudaGroup group;
    private final Gpu gpu;
    private final CUstream stream;
    private final CudaGroup.Resources resources;
    private final NativeMemory pinned;
    private final long scratch;
    private final int finished;
    private long lookedAtQueue = System.nanoTime();
    private final int abort;

    LaunchWait(CudaGroup group, Gpu gpu, CudaGroup.Resources resources, long scratch, int finished, int abort) {
        this.group = group;
        this.gpu = gpu;
        this.stream = resources.stream;
        this.resources = resources;
        this.pinned = resources.pinned.memory;
        this.scratch = scratch;
        this.finished = finished;
        this.abort = abort;
    }

    /**
     * Returns when the call with this ticket has ended.
     *
     * @param resident the kernel that serves the call; null for a launched call
     * @throws mpi.MPIException if the device fails or a peer is lost; then, and if {@code waiting} throws, no kernel of
     * the group runs any more
     */
    void until(long ticket, ResidentKernel resident, Waiting waiting) {
        if (!isSoon(ticket, resident)) {
            untilLong(ticket, resident, waiting);
        }
        if (isTold()) {
            pinned.putLongRelease(finished, ticket); // for the watchdog
        }
        // Also if the launch itself took long: the watchdog may have raised the word meanwhile.
        if (pinned.getLongAcquire(abort) != 0) {
            throw group.givenUp(waiting);
        }
    }

    /**
     * Whether a call of the queue has ended. Now and then it looks at the driver and the peers, too.
     *
     * @throws mpi.MPIException as {@link #until}
     */
    boolean hasEndedInQueue(long ticket, Waiting waiting) {
        boolean ended = pinned.getLongAcquire(finished) >= ticket;
        if (pinned.getLongAcquire(abort) != 0) { // even then: it may have ended without its peers
            throw group.givenUp(waiting);
        }
        long now = ended ? 0 : System.nanoTime();
        if (!ended && now - lookedAtQueue > HEALTH_NANOS) {
            lookedAtQueue = now;
            if (group.lost() != null) {
                throw group.givenUp(waiting);
            }
            gpu.enter();
            try {
                int result = CudaResult.query(resources.queue);
                if (result != CUresult.CUDA_ERROR_NOT_READY && result != CUresult.CUDA_SUCCESS) {
                    throw failed(result, waiting);
                }
            } finally {
                gpu.leave();
            }
        }
        return ended;
    }

    private boolean hasEnded(long ticket) {
        return isTold() ? resources.arrivals.ended(ticket) : pinned.getLongAcquire(finished) == ticket;
    }

    /** Whether the words that members tell each other, not the group's own word, hold the end of the running call. */
    private boolean isTold() {
        return resources.arrivals != null && resources.arrivals.inUse();
    }

    /** Whether a word that the call waits for will not come: no kernel of ours waits for it, and would give up. */
    private boolean isLeftAlone() {
        return isTold() && pinned.getLongAcquire(abort) != 0;
    }

    private boolean isSoon(long ticket, ResidentKernel resident) {
        for (int spins = 0; spins < SPINS_A_LOOK; spins++) {
            if (hasEnded(ticket)) {
                return true;
            }
            Thread.onSpinWait();
        }
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < SPINNING_NANOS) {
            if (resident != null) {
                resident.turn();
            }
            for (int spins = 0; spins < SPINS_A_LOOK; spins++) {
                if (hasEnded(ticket)) {
                    return true;
                }
                Thread.onSpinWait();
            }
        }
        return false;
    }

    private void untilLong(long ticket, ResidentKernel resident, Waiting waiting) {
        long healthy = System.nanoTime();
        try {
            while (!hasEnded(ticket) && !isLeftAlone()) {
                if (resident != null) {
                    resident.turn();
                }
                look(ticket, resident, waiting);
                long now = System.nanoTime();
                if (now - healthy > HEALTH_NANOS) {
                    healthy = now;
                    if (group.lost() != null) {
                        abort(); // before this turn, which may end this process while the kernel still runs
                    }
                }
                waiting.turn();
                for (int spins = 0; spins < SPINS_A_LOOK && !hasEnded(ticket); spins++) {
                    Thread.onSpinWait();
                }
            }
        } catch (RuntimeException | Error e) {
            abort();
            throw e;
        }
    }

    /** Asks the driver. If a stream has reached its end without the word, its launch gave up or failed. */
    private void look(long ticket, ResidentKernel resident, Waiting waiting) {
        gpu.enter();
        try {
            int result = CudaResult.query(stream);
            if (result == CUresult.CUDA_ERROR_NOT_READY) {
                return;
            }
            if (result != CUresult.CUDA_SUCCESS) {
                throw failed(result, waiting);
            }
            if (!(resident != null && resident.hasLeft()) && !isTold() && !hasEnded(ticket)) {
                throw ErrorClass.INTERN.in("device memory", "a collective's kernel on " + gpu
                    + " ended without a report (status " + status() + "); report this with the call's arguments");
            }
        } finally {
            gpu.leave();
        }
    }

    /** A kernel that died by itself, or because a peer's memory went with that peer. */
    private RuntimeException failed(int result, Waiting waiting) {
        long begun = System.nanoTime();
        String lost = group.lost();
        while (lost == null && CudaResult.isSticky(result) && System.nanoTime() - begun < DYING_NANOS) {
            Nap.nanos(1_000_000);
            lost = group.lost();
        }
        String what = "a collective's kernel on " + gpu;
        return lost == null ? CudaResult.failure(result, what)
            : waiting.lost(lost + "; " + CudaResult.describe(result, what));
    }

    private long status() {
        ByteBuffer word = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder());
        JCudaDriver.cuMemcpyDtoH(Pointer.to(word), Addresses.device(scratch + CallArguments.SCRATCH_STATUS), 4);
        return word.getInt(0);
    }

    /** Makes the group's kernels give up, and releases its streams. Any thread. */
    void raise() {
        pinned.putLongRelease(abort, 1);
        if (resources.stripe != null) {
            resources.stripe.release();
        }
        if (resources.pairs != null) {
            resources.pairs.release();
        }
    }

    /** Makes the group's kernels give up, and waits a little until none runs. Never throws. */
    void abort() {
        pinned.putLongRelease(abort, 1); // the streams' words only if some wait: the peers see them too
        long begun = System.nanoTime();
        while (isRunning() && System.nanoTime() - begun < GIVING_UP_NANOS) {
            raise(); // a peer's stream may have overwritten a word
            Thread.onSpinWait();
        }
    }

    /**
     * Waits a little until no kernel of the group runs: its last words to the peers come after that to the host.
     * {@link GroupEnd} checks whether that was enough. Never throws.
     */
    void drain() {
        long begun = System.nanoTime();
        while (isRunning() && System.nanoTime() - begun < GIVING_UP_NANOS) {
            Thread.onSpinWait();
        }
    }

    private boolean isRunning() {
        try {
            gpu.enter();
            try {
                return resources.isRunning();
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException e) {
            return false;
        }
    }
}

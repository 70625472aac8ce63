package org.brigade.transport.cuda.group;

import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Collective;
import mpi.spi.DeviceBuffer;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceCost;
import org.brigade.device.DeviceGroup;
import org.brigade.interrupt.ProcessEnd;
import org.brigade.select.ResidentMode;
import org.brigade.transport.Endpoint;
import org.brigade.transport.cuda.driver.CudaBuffer;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.driver.PinnedMemory;
import org.brigade.transport.cuda.kernel.Blocks;
import org.brigade.transport.cuda.kernel.CallArguments;
import org.brigade.transport.cuda.kernel.GridLimits;

/**
 * The device collectives of one communicator: each call is one launch on every member's GPU, and the kernels meet in
 * the members' scratch memory.
 *
 * <pre>
 * page-locked   0  abort     not 0: kernels give up                     host: the caller, or the watchdog
 *              32  begun     the ticket of the last call                 host
 *              64  finished  the ticket of the last call that has ended  kernel
 *              72  left      the number of the last resident kernel that has gone
 *             128  the parameters of the next launch                     host
 *        RESIDENT  the doorbell of resident kernels, and their parameters
 * </pre>
 */
public final class CudaGroup implements DeviceGroup, Watchdog.Work {
    static final int ABORT = 0;
    private static final int BEGUN = 32;
    static final int FINISHED = 64;
    private static final int ARGUMENTS = 128;
    static final int LEFT = 72;
    static final int RESIDENT = (ARGUMENTS + CallArguments.STRETCH + 63) / 64 * 64;
    private static final int PINNED_BYTES = RESIDENT + ResidentKernel.STRETCH;

    /** Calls on the user's streams, which run the same kernels. */
    public interface Streams {
        /** As {@link DeviceGroup#settle}. */
        void settle(Waiting waiting);

        /** The group is closed before its calls on streams. */
        void orphan();
    }

    /** A group's own resources on its GPU, beside the scratch. */
    static final class Resources {
        final CUstream stream;
        final PinnedMemory pinned;
        /**
         * The path through host memory, and the words by which members tell each other's hosts; null if not all members
         * share memory for it.
         */
        HostStripe stripe;
        Arrivals arrivals;
        PairStreams pairs;
        /** For calls that nobody waits for; null if the group has made none. */
        CUstream queue;
        private final Gpu gpu;

        /** Needs the context current. */
        Resources(Gpu gpu) {
            this.gpu = gpu;
            pinned = new PinnedMemory(PINNED_BYTES);
            stream = gpu.newStream();
        }

        /** Whether work of the group is outstanding in its own streams. Needs the context current. */
        boolean isRunning() {
            return CudaResult.query(stream) == CUresult.CUDA_ERROR_NOT_READY || stripe != null && stripe.isRunning()
                || pairs != null && pairs.isRunning()
                || queue != null && CudaResult.query(queue) == CUresult.CUDA_ERROR_NOT_READY;
        }

        void closeQueue() {
            if (queue != null) {
                gpu.giveQueue(queue);
                queue = null;
            }
        }

        void free() {
            if (pairs != null) {
                pairs.free();
            }
            if (stripe != null) {
                stripe.free();
            }
            closeQueue();
            JCudaDriver.cuStreamDestroy(stream);
            pinned.free();
        }
    }

    private final Endpoint endpoint;
    public final Gpu gpu;
    private final GroupMemory memory;
    public final Launches launches;
    final ScratchMemory scratch;
    private final long[] scratches;
    final Resources resources;
    private final GroupEnd.Parts parts;
    private final CallArguments arguments;
    private final LaunchWait wait;
    private final GroupFailureNotice distress;
    /** Whether lines that a member's GPU stores into another's memory arrive whole. */
    private final boolean wholeLines;
    /** Null if each call is launched. */
    private final ResidentKernel resident;
    private final String machine;
    private final List<DeviceCost> costs;
    private long ticket;
    /** Whether the resident kernel served the last call, so that it may be {@linkplain DeviceCall#again made again}. */
    private boolean stayed;
    /** Why no more calls can run; null if they can. */
    private String broken;
    /** Null while there are none. */
    private volatile Streams streams;
    /** Memory of calls on streams that have ended without the other members: these may still store there. */
    private final List<Runnable> kept = new ArrayList<>();
    /** Why the watchdog gave up first: others may have left since for the same reason. */
    private volatile String firstLost;

    CudaGroup(GroupEnd.Parts parts, GroupMemory memory, Launches launches, GroupFailureNotice distress,
        boolean wholeLines,
        ResidentMode mode, String machine, List<DeviceCost> costs) {
        this.machine = machine;
        this.costs = costs;
        this.parts = parts;
        endpoint = parts.endpoint();
        gpu = parts.gpu();
        scratch = parts.scratch();
        scratches = parts.mapped();
        resources = parts.resources();
        this.memory = memory;
        this.launches = launches;
        this.distress = distress;
        this.wholeLines = wholeLines;
        arguments = argumentsIn(resources.pinned, ARGUMENTS);
        wait = new LaunchWait(this, gpu, resources, scratch.address, FINISHED, ABORT);
        resident = mode.on()
            ? new ResidentKernel(gpu, resources, mode, memory.rank, scratches) : null;
        LiveGroups.add(this);
        Watchdog.watch(this);
    }

    /**
     * A block of launch arguments of this group in page-locked memory, with the fields that are the same in all
     * launches.
     */
    public CallArguments argumentsIn(PinnedMemory pinned, int at) {
        CallArguments made = new CallArguments(pinned, at);
        made.putInt(CallArguments.RANK, memory.rank);
        made.putInt(CallArguments.RANKS, memory.ranks);
        made.putLongs(CallArguments.SCRATCH, scratches, memory.ranks);
        made.putLong(CallArguments.ABORT, resources.pinned.deviceAddress + ABORT);
        return made;
    }

    /** Starts calls on the user's streams, which take turns with this group's launches; null: ends them. */
    public void share(Streams calls) {
        // Kernels of streams, especially of replayed graphs, may come at any time, and no two kernels of a group run at
        // once:
        // from now on there is no resident kernel.
        if (resident != null) {
            resident.leave();
        }
        streams = calls;
    }

    /** Frees memory together with the scratch memory. */
    public void keep(Runnable freeing) {
        kept.add(freeing);
    }

    @Override
    public String machine() {
        return machine;
    }

    @Override
    public List<DeviceCost> costs() {
        return costs;
    }

    @Override
    public boolean isShared() {
        return streams != null;
    }

    @Override
    public void settle(Waiting waiting) {
        Streams calls = streams;
        if (calls != null) {
            calls.settle(waiting);
        }
    }

    @Override
    public String refuses(DeviceCall call) {
        if (broken != null) {
            return broken;
        }
        String wrong = elsewhere(call.send, "sendbuf");
        if (wrong == null) {
            wrong = elsewhere(call.recv, "recvbuf");
        }
        if (wrong == null && call.choice != null) {
            try {
                launches.of(call.choice).prepare(call);
                if (resident != null) {
                    resident.prepare(call);
                }
            } catch (RuntimeException e) {
                return e.getMessage();
            }
        }
        return wrong;
    }

    private String elsewhere(DeviceBuffer buffer, String name) {
        if (buffer == null || ((CudaBuffer) buffer).allocation.gpu == gpu) {
            return null;
        }
        return name + " is " + buffer + ", but this communicator's collectives run on " + gpu
            + ", where its first device buffer was; use buffers on one GPU, or Dup the communicator for the other";
    }

    @Override
    public void run(DeviceCall call, Waiting waiting) {
        if (broken != null) {
            throw ErrorClass.OTHER.in(call.collective.key(), broken);
        }
        HostStripe stripe = call.choice.algorithm().striped() ? resources.stripe : null;
        if (stripe != null && call.choice.sharePercent() > 0) {
            launches.of(call.choice).meet(waiting);
        }
        boolean again = call.again && stays();
        stayed = false;
        boolean stays;
        try {
            if (!again) {
                fill(call, memory, arguments);
            }
            arguments.putLong(CallArguments.FINISHED, resources.pinned.deviceAddress + FINISHED);
            arguments.putLong(CallArguments.TICKET, ++ticket);
            resources.pinned.memory.putLongRelease(BEGUN, ticket);
            if (resources.arrivals != null) {
                resources.arrivals.begin();
            }
            stays = again || resident != null && streams == null && resident.takes(call, memory.blocks);
            if (again) {
                resident.ringAgain(ticket);
            } else if (stays) {
                resident.ring(call, ticket, arguments.getInt(CallArguments.FLAGS),
                    arguments.getLong(CallArguments.SEND), arguments.getLong(CallArguments.RECV));
            } else {
                launchAlone(call);
            }
        } catch (RuntimeException e) {
            RuntimeException told = CudaResult.told(e);
            breaks(told);
            abort(); // part of the call's work may be running already
            throw told;
        }
        try {
            wait.until(ticket, stays ? resident : null, waiting);
            if (stripe != null && stripe.isGivenUp()) {
                String lost = Watchdog.lost(endpoint, memory.members);
                throw lost != null ? waiting.lost(lost) : ErrorClass.OTHER.in(call.collective.key(),
                    "another member gave the call up; its own error says why");
            }
        } catch (RuntimeException e) {
            RuntimeException told = CudaResult.told(e);
            breaks(told);
            throw told;
        }
        stayed = stays;
    }

    @Override
    public boolean stays() {
        return stayed && streams == null && broken == null;
    }

    // ---- calls in the queue ----

    @Override
    public boolean openQueue() {
        if (queueBlocks() == 0 || broken != null) {
            return false;
        }
        gpu.enter();
        try {
            resources.queue = gpu.takeQueue(GridLimits.QUEUES);
        } finally {
            gpu.leave();
        }
        return resources.queue != null;
    }

    @Override
    public void closeQueue() {
        resources.closeQueue();
    }

    @Override
    public int queueBlocks() {
        return launches.queueBlocks();
    }

    @Override
    public long launch(DeviceCall call) {
        if (broken != null) {
            throw ErrorClass.OTHER.in(call.collective.key(), broken);
        }
        try {
            String wrong = refuses(call);
            if (wrong != null) {
                throw ErrorClass.BUFFER.in(call.collective.key(), wrong);
            }
            stayed = false;
            gpu.enter();
            try {
                if (resident != null) {
                    // The queue's kernels use the same memory. Waits for what the kernel has left, which is no call.
                    resident.leave();
                    CudaResult.check(JCudaDriver.cuStreamSynchronize(resources.stream), "cuStreamSynchronize");
                }
                fill(call, memory, arguments);
                arguments.putLong(CallArguments.FINISHED, resources.pinned.deviceAddress + FINISHED);
                arguments.putLong(CallArguments.TICKET, ++ticket);
                resources.pinned.memory.putLongRelease(BEGUN, ticket);
                launches.of(call.choice).launch(call, memory, arguments, resources.queue);
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException e) {
            RuntimeException told = CudaResult.told(e);
            breaks(told);
            abort(); // earlier calls may be under way, and the peers' part of this one
            throw told;
        }
        return ticket;
    }

    @Override
    public boolean hasEnded(long number, Waiting waiting) {
        try {
            return wait.hasEndedInQueue(number, waiting);
        } catch (RuntimeException e) {
            RuntimeException told = CudaResult.told(e);
            breaks(told);
            abort();
            throw told;
        }
    }

    private void breaks(RuntimeException e) {
        broken = "this communicator runs no more collectives on devices, since one has failed (" + e.getMessage()
            + "); use another one, such as a duplicate";
        if (resident != null) {
            resident.isNoProof();
        }
        if (!ProcessEnd.hasBegun()) { // else the peers hear of the end itself
            distress.call();
        }
    }

    private void launchAlone(DeviceCall call) {
        if (resident != null) {
            resident.leave();
        }
        gpu.enter();
        try {
            launches.of(call.choice).launch(call, memory, arguments, resources.stream);
        } finally {
            gpu.leave();
        }
    }

    /** Fills in a call's arguments, except the ticket and those that the algorithm sets itself. */
    public void fill(DeviceCall call, GroupMemory memory, CallArguments arguments) {
        Blocks blocks = memory.blocks;
        int rank = memory.rank;
        int ranks = memory.ranks;
        blocks.fill(call);
        long send = call.send == null ? 0 : call.send.address + call.sendOffset;
        long recv = call.recv == null ? 0 : call.recv.address + call.recvOffset;
        if (call.inPlace) {
            if (call.collective == Collective.SCATTER || call.collective == Collective.SCATTERV) {
                recv = send + blocks.sendAt[rank] - blocks.recvAt[rank];
            } else if (call.send == null) {
                // The own block is where it will be in the end.
                boolean gathers = call.collective == Collective.GATHER || call.collective == Collective.GATHERV
                    || call.collective == Collective.ALLGATHER
                    || call.collective == Collective.ALLGATHERV;
                send = gathers ? recv + blocks.recvAt[rank] - blocks.sendAt[rank] : recv;
            }
        } else if (call.collective == Collective.BCAST) {
            send = recv;
        }
        int flags = (call.inPlace ? CallArguments.IN_PLACE : 0)
            | (call.inPlace && blocks.unequal ? CallArguments.OVERLAPS : 0) | (call.met ? CallArguments.MET : 0)
            | (wholeLines ? CallArguments.WHOLE_LINES : 0);
        arguments.putInt(CallArguments.ROOT, call.root);
        arguments.putInt(CallArguments.FLAGS, flags);
        arguments.putLong(CallArguments.SEND, send);
        arguments.putLong(CallArguments.RECV, recv);
        arguments.putLong(CallArguments.BLOCK, blocks.even());
        arguments.putLong(CallArguments.SEND_STEP, blocks.sendStep());
        arguments.putLong(CallArguments.RECV_STEP, blocks.recvStep());
        arguments.putLong(CallArguments.PEER_SEND, rank, send);
        arguments.putLong(CallArguments.PEER_RECV, rank, recv);
        arguments.putLongs(CallArguments.SEND_AT, blocks.sendAt, ranks);
        arguments.putLongs(CallArguments.SEND_BYTES, blocks.sendBytes, ranks);
        arguments.putLongs(CallArguments.RECV_AT, blocks.recvAt, ranks);
        arguments.putLongs(CallArguments.RECV_BYTES, blocks.recvBytes, ranks);
        arguments.putLong(CallArguments.BYTES, call.bytes);
    }

    /** Whether kernels have been told to give up. */
    public boolean isGivenUp() {
        return resources.pinned.memory.getLongAcquire(ABORT) != 0;
    }

    // ---- for the watchdog ----

    @Override
    public long begun() {
        return resources.pinned.memory.getLongAcquire(BEGUN);
    }

    @Override
    public long ended() {
        return resources.pinned.memory.getLongAcquire(FINISHED);
    }

    @Override
    public String lost() {
        String lost = Watchdog.lost(endpoint, memory.members);
        if (lost != null) {
            return lost;
        }
        int failed = distress.heard();
        return failed < 0 ? null : "rank " + failed
            + " could not do its part, and its own error says why; go on with another communicator, such as a"
            + " duplicate";
    }

    @Override
    public void giveUp(String lost) {
        if (firstLost == null) {
            firstLost = lost;
        }
        wait.raise();
    }

    /** Why kernels have been told to give up. */
    public String whyGivenUp() {
        String lost = firstLost != null ? firstLost : lost();
        return lost != null ? lost : "this process is ending";
    }

    /** The error of a call that was given up. If the reason is the end of this process, waits for that end. */
    MPIException givenUp(Waiting waiting) {
        ProcessEnd.await();
        String lost = Watchdog.lost(endpoint, memory.members);
        return lost != null ? waiting.lost(lost)
            : ErrorClass.OTHER.in("device memory", "a collective on " + gpu + " was given up: " + whyGivenUp());
    }

    // ---- the end ----

    /** The process ends during this group's calls: tells the peers why, then {@link #abort}. */
    void exit() {
        endpoint.exiting();
        abort();
    }

    /**
     * Makes the group's running and future kernels give up, and waits a little for the running one to end. Any thread;
     * never throws.
     */
    void abort() {
        wait.abort();
    }

    @Override
    public void close() {
        Streams calls = streams;
        if (calls != null) {
            calls.orphan();
        }
        if (broken != null) {
            abort();
        } else {
            if (resident != null) {
                resident.close();
            }
            wait.drain();
        }
        if (resident != null) {
            resident.isNoProof();
        }
        new GroupEnd(parts, this, kept).begin();
    }

    @Override
    public String toString() {
        return memory.ranks + " ranks, on " + gpu + " at rank " + endpoint.rank();
    }
}

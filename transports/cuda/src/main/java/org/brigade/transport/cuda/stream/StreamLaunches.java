package org.brigade.transport.cuda.stream;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import jcuda.driver.CUcontext;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.spi.Collective;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.Registration;
import org.brigade.algorithm.catalogue.StreamCatalogue;
import org.brigade.algorithm.kernel.PairwiseKernel;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup.Waiting;
import org.brigade.device.UnroundedKernel;
import org.brigade.select.Choice;
import org.brigade.select.trial.SizeClass;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CaptureMode;
import org.brigade.transport.cuda.driver.CudaBuffer;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.driver.PinnedMemory;
import org.brigade.transport.cuda.group.CudaGroup;
import org.brigade.transport.cuda.group.FusedLaunch;
import org.brigade.transport.cuda.group.Launches;
import org.brigade.transport.cuda.group.Watchdog;
import org.brigade.transport.cuda.kernel.CallArguments;

/**
 * Puts calls on streams: a call is one launch if the peers' buffers that its kernel needs are registered; else it is
 * cut into pieces, which go by packets through the scratch memory or, if the call is long, by copies through registered
 * memory of this object's own. All members decide alike.
 *
 * <pre>
 * page-locked   0  ended     the number of an ended launch; all before have ended,  kernel, or the stream
 *                            too: StreamMarks says which launches tell
 *              64  the parameters of the next launch                                host
 * </pre>
 *
 * A launch that is captured into a graph has no number, as it may run many times: the number of outstanding launches is
 * then unknown. Nothing else in a launch's parameters changes from call to call.
 */
final class StreamLaunches implements Watchdog.Work {
    private static final int ENDED = 0;
    private static final int ARGUMENTS = 64;
    private static final int PINNED_BYTES = ARGUMENTS + CallArguments.STRETCH;
    private static final long LOOK_NANOS = 20_000_000;
    /** For kernels whose result is no longer needed; given up, they end within microseconds. */
    private static final long PATIENCE_NANOS = 1_000_000_000;
    private static final CUstream DEFAULT_STREAM = new CUstream();

    private final CudaGroup group;
    private final Gpu gpu;
    final WindowMemory memory;
    private final StreamSelection selection;
    private final Launches launches;
    private final PinnedMemory pinned;
    private final CallArguments arguments;
    private final StreamOrder order;
    private final StreamStaging staging;
    private final int ranks;
    private final CUcontext current = new CUcontext();
    /**
     * Guards launching on streams: a thread that waits for another's launches must be able to process its messages
     * while the other is in the driver.
     */
    private final ReentrantLock giving = new ReentrantLock();
    /** The launches that are not captured. */
    private final StreamMarks marks;
    private volatile boolean captured;

    /** Needs the context current. */
    StreamLaunches(CudaGroup group, int rank, int ranks, StreamStaging staging, Map<SizeClass, Choice> measured) {
        this.group = group;
        this.gpu = group.gpu;
        this.ranks = ranks;
        this.staging = staging;
        memory = new WindowMemory(ranks, rank);
        launches = group.launches.another();
        selection = new StreamSelection(ranks, measured);
        pinned = new PinnedMemory(PINNED_BYTES);
        arguments = group.argumentsIn(pinned, ARGUMENTS);
        marks = new StreamMarks(pinned.deviceAddress + ENDED);
        order = new StreamOrder();
        Watchdog.watch(this);
    }

    /** Needs the context current. */
    void close() {
        Watchdog.forget(this);
        giving.lock();
        try {
            marks.close();
            order.close();
            pinned.free();
        } finally {
            giving.unlock();
        }
    }

    // ---- for the watchdog ----

    /**
     * The number of the last launch. If no launch has told of its end lately, it is more than the number known to have
     * ended; if some are captured, always more, as any number may run.
     */
    @Override
    public long begun() {
        return captured ? Long.MAX_VALUE : marks.launched();
    }

    @Override
    public long ended() {
        return pinned.memory.getLongAcquire(ENDED);
    }

    @Override
    public String lost() {
        return group.lost();
    }

    @Override
    public void giveUp(String lost) {
        group.giveUp(lost);
    }

    // ---- between calls ----

    /** Waits until all launches have ended, except those in graphs. */
    void settle(Waiting waiting) {
        long last = marks.launched();
        if (ended() >= last) {
            return;
        }
        while (!giving.tryLock()) {
            waiting.turn();
        }
        try {
            ask();
        } finally {
            giving.unlock();
        }
        long looked = System.nanoTime();
        while (ended() < last) {
            waiting.turn();
            long now = System.nanoTime();
            if (now - looked > LOOK_NANOS) {
                looked = now;
                look(last);
            }
        }
    }

    /**
     * Records that a stream's earlier work has ended, after it was waited for, so that its stream may be destroyed.
     * Leaves streams alone that are being captured.
     */
    void note() {
        giving.lock();
        try {
            if (marks.isSilent()) {
                boolean pushed = enter();
                try {
                    if (!order.isCapturing(order.last())) {
                        askStream();
                    }
                } finally {
                    leave(pushed);
                }
            }
        } finally {
            giving.unlock();
        }
    }

    /** Makes sure that the end of the last launch will be told. */
    private void ask() {
        if (marks.isSilent()) {
            boolean pushed = enter();
            try {
                order.notCaptured();
                askStream();
            } finally {
                leave(pushed);
            }
        }
    }

    /** Asks the stream to tell later; it may be gone by then. */
    private void askStream() {
        marks.ask(order.last());
        order.leave();
    }

    /** Makes the context current; true if it was not. */
    private boolean enter() {
        CudaResult.check(JCudaDriver.cuCtxGetCurrent(current), "cuCtxGetCurrent");
        if (Addresses.of(current) == gpu.contextHandle) {
            return false;
        }
        gpu.enter();
        return true;
    }

    private void leave(boolean pushed) {
        if (pushed) {
            gpu.leave();
        }
    }

    /**
     * Waits until no launch runs that is not in a graph; gives up those that do not end soon, or wait for a lost rank.
     * Never throws.
     */
    void end() {
        giving.lock();
        try {
            ask();
        } catch (RuntimeException e) {
            // The stream or the context is gone: what may still run is given up.
        } finally {
            giving.unlock();
        }
        if (!ends(PATIENCE_NANOS)) {
            String lost = group.lost();
            group.giveUp(lost != null ? lost : "the communicator was freed before its calls on streams had ended");
            ends(PATIENCE_NANOS);
        }
    }

    private boolean ends(long nanos) {
        long begun = System.nanoTime();
        while (ended() < marks.launched() && System.nanoTime() - begun < nanos) {
            if (group.lost() != null && !group.isGivenUp()) {
                return false;
            }
            Thread.yield();
        }
        return ended() >= marks.launched();
    }

    /** Asks the driver: the work before a launch may have failed, and the launch with it. */
    private void look(long last) {
        gpu.enter();
        try {
            int result = order.query();
            if (result != CUresult.CUDA_ERROR_NOT_READY && ended() < last) {
                throw CudaResult.failure(result == CUresult.CUDA_SUCCESS ? CUresult.CUDA_ERROR_LAUNCH_FAILED : result,
                    "a collective's kernel on a stream of " + gpu);
            }
        } finally {
            gpu.leave();
        }
    }

    // ---- calls ----

    /**
     * Puts a call on a stream.
     *
     * @param call all but the choice, and bytes
     * @param block the vector, or the block from one rank to another
     */
    void run(DeviceCall call, long block, CUstream wished) {
        run(call, block, null, wished);
    }

    /**
     * Puts an allreduce of several vectors on a stream, as one of the staging memory.
     *
     * @param call all but the choice, and bytes; in place in the staging memory
     */
    void run(DeviceCall call, StreamParts parts, CUstream wished) {
        run(call, parts.bytes(), parts, wished);
    }

    private void run(DeviceCall call, long block, StreamParts parts, CUstream wished) {
        CUstream stream = wished == null ? DEFAULT_STREAM : wished;
        giving.lock();
        try {
            boolean pushed = enter();
            try {
                if (order.isCapturing(stream)) {
                    capture(call, block, parts, stream);
                } else {
                    order.begin(stream, ended() >= marks.launched());
                    order.end(give(call, block, parts, stream, false));
                }
            } finally {
                leave(pushed);
            }
        } finally {
            giving.unlock();
        }
    }

    private void capture(DeviceCall call, long block, StreamParts parts, CUstream stream) {
        captured = true;
        // Else a capturing thread could not allocate the staging memory.
        CaptureMode.relaxed(() -> give(call, block, parts, stream, true));
    }

    /** As below; also if there are parts, which are copied first and last. */
    private boolean give(DeviceCall call, long block, StreamParts parts, CUstream stream, boolean capturing) {
        if (parts == null) {
            return give(call, block, stream, capturing);
        }
        parts.gather(staging.memory().address, stream);
        give(call, block, stream, capturing);
        parts.scatter(staging.memory().address, stream);
        return true;
    }

    /** Returns whether there are copies after the last launch. */
    private boolean give(DeviceCall call, long block, CUstream stream, boolean capturing) {
        call.sendOffset = 0;
        call.recvOffset = 0;
        if (call.collective.amongNeighbours()) {
            return neighbours(call, block, stream, capturing);
        }
        Window send = call.send == null ? null
            : memory.find(call.collective.key(), (CudaBuffer) call.send, sendLength(call, block));
        Window recv = call.recv == null ? null
            : memory.find(call.collective.key(), (CudaBuffer) call.recv, recvLength(call, block));
        long measured = measured(call, block);
        int registered = registered(call, send, recv);
        Choice choice = selection.measured(call, measured, registered,
            UnroundedKernel.of(call, selection.choice(call.collective, measured, registered)));
        if (runs(choice, call.collective, registered)) {
            memory.use(send, recv);
            call.choice = choice;
            call.bytes = measured;
            launch(call, stream, capturing);
            return false;
        }
        return inPieces(call, block, stream, capturing);
    }

    /** All have blocks of one length, but numbers of them that only this rank knows. As {@link #give}. */
    private boolean neighbours(DeviceCall call, long block, CUstream stream, boolean capturing) {
        Window recv = memory.find(call.collective.key(), (CudaBuffer) call.recv, Math.max(1, call.in.end()));
        call.choice = selection.choice(call.collective, 0, Registration.BOTH);
        call.bytes = 0;
        if (recv != null || block <= PairwiseKernel.SHORT_BLOCK) {
            memory.use(null, recv);
            launch(call, stream, capturing);
            return false;
        }
        memory.use(null, staging.window());
        for (long at = 0; at < block; at += StreamStaging.EDGE_BYTES) {
            long length = Math.min(StreamStaging.EDGE_BYTES, block - at);
            launch(staging.enter(call, at, length), stream, capturing);
            staging.leave(call, at, length, stream);
        }
        return true;
    }

    /** Whether the call is one launch: what replaces a choice of the table may need buffers that are not registered. */
    private static boolean runs(Choice choice, Collective collective, int registered) {
        return choice.algorithm() instanceof DeviceAlgorithm algorithm && !algorithm.staged()
            && algorithm.kernel().runsOnStreams(collective, registered);
    }

    /** Bytes as ladders count them. */
    private long measured(DeviceCall call, long block) {
        return call.collective == Collective.REDUCE_SCATTER ? ranks * block : block;
    }

    private long sendLength(DeviceCall call, long block) {
        return call.collective == Collective.REDUCE_SCATTER || call.collective == Collective.ALLTOALL ? ranks * block
            : block;
    }

    private long recvLength(DeviceCall call, long block) {
        return call.collective == Collective.ALLGATHER || call.collective == Collective.ALLTOALL ? ranks * block
            : block;
    }

    private static int registered(DeviceCall call, Window send, Window recv) {
        if (call.inPlace && call.collective == Collective.ALLTOALL) {
            return Registration.OVERWRITTEN;
        }
        // A buffer that a rank does not have counts as registered like the other: only a reduction's root has both.
        boolean sends = call.send == null ? recv != null : send != null;
        boolean receives = call.recv == null ? send != null : recv != null;
        return (sends ? Registration.SEND : 0) | (receives ? Registration.RECV : 0);
    }

    private boolean inPieces(DeviceCall call, long block, CUstream stream, boolean capturing) {
        if (block > StreamStaging.FEWEST_BYTES) {
            long most = staging.piece(call.collective);
            Choice choice = UnroundedKernel.of(call,
                selection.choice(call.collective, measured(call, most), Registration.BOTH));
            if (!choice.staged()) {
                memory.use(staging.window(), staging.window());
                for (long at = 0; at < block; at += most) {
                    long length = Math.min(most, block - at);
                    DeviceCall piece = staging.enter(call, block, at, length, stream);
                    piece.choice = choice;
                    piece.bytes = measured(call, length);
                    launch(piece, stream, capturing);
                    staging.leave(call, block, at, length, stream);
                }
                return true;
            }
        }
        memory.use(null, null);
        DeviceAlgorithm anywhere = StreamCatalogue.inPieces(call.collective);
        call.choice = new Choice(anywhere, 0, 2, 0, 0, "in pieces");
        long piece = anywhere.restrictions().maximumBytes();
        for (long at = 0; at < block; at += piece) {
            long length = Math.min(piece, block - at);
            Arrays.fill(call.sendBytes, length);
            Arrays.fill(call.recvBytes, length);
            call.sendOffset = at;
            call.recvOffset = at;
            call.bytes = measured(call, length);
            launch(call, stream, capturing);
        }
        return false;
    }

    private void launch(DeviceCall call, CUstream stream, boolean capturing) {
        FusedLaunch launch = launches.of(call.choice);
        launch.prepare(call);
        group.fill(call, memory, arguments);
        if (capturing) {
            arguments.putLong(CallArguments.FINISHED, 0);
            arguments.putLong(CallArguments.TICKET, 0);
        } else {
            marks.begin(arguments, order.isPerThread());
        }
        try {
            launch.launch(call, memory, arguments, stream);
        } catch (RuntimeException e) {
            if (!capturing) {
                marks.failed();
            }
            // From now on this rank is a launch behind the others.
            group.giveUp("an earlier call on a stream of this rank failed: " + e.getMessage());
            throw e;
        }
    }
}

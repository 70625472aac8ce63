package org.brigade.transport.cuda.group;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamWaitValue_flags;
import jcuda.driver.JCudaDriver;
import org.brigade.device.DeviceGroup.Waiting;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.driver.PinnedMemory;

/**
 * The streams of {@link PairedLaunch}, and the words in host memory by which those of the members wait for each other:
 *
 * <pre>
 *   [member][ARRIVED + link]  windows of the call's chunks that the peer on that link has filled here     the peer's stream
 *   [member][FREED + link]    those that this member has added up                                   its own stream
 *   [member][SPREAD]          sums that the partner has put into this member's result               the partner's stream
 *   [member][SENT]            pieces that this member has put into its host slots                   its own stream
 *   [member][TAKEN]           pieces that it has taken from the partner's                           its own stream
 * </pre>
 *
 * Link i joins the ranks whose numbers differ in bit i; link 0 is that of a pair. All counts go on from call to call.
 *
 * <p>
 * Streams may share a queue to the GPU, in which work runs as it was begun. So it is begun in an order in which it
 * could run in a single stream.
 */
final class PairStreams {
    static final int MOST_LINKS = 3;
    static final int ARRIVED = 0;
    static final int FREED = MOST_LINKS;
    static final int SPREAD = 2 * MOST_LINKS;
    static final int SENT = SPREAD + 1;
    static final int TAKEN = SPREAD + 2;
    private static final int WORDS = 16;
    private static final int LINE = 64;
    /** Host slots of each member. */
    static final int SLOTS = 4;
    private static final int GRAIN = 256;
    /** More than a call counts, so that a released word satisfies all waits, also those still to come. */
    private static final int AHEAD = 1 << 30;
    private static final int PINNED_BYTES = 2048;

    private final Gpu gpu;
    private final int rank;
    private final int ranks;
    private final GroupHostMemory memory;
    /** By link: copies to its peer. Null until some call needs streams. */
    CUstream[] out;
    CUstream toHost;
    CUstream fromHost;
    /** By link: what was copied to its peer last. */
    CUevent[] copied;
    /** What was recorded last, for waits that are begun at once. */
    private CUevent now;
    /** For the arguments of kernels. */
    PinnedMemory pinned;
    /** Chunks, pieces sent and pieces taken in all calls so far. */
    int chunks;
    int sent;
    int taken;
    /** Bytes of a host slot; 0: there is none, -1 until some call needs them. */
    private long slotBytes = -1;

    PairStreams(Gpu gpu, int rank, int ranks, GroupHostMemory memory) {
        this.gpu = gpu;
        this.rank = rank;
        this.ranks = ranks;
        this.memory = memory;
    }

    /** Makes all shares 0, as no other link joins the GPUs of a pair. On all members or none, before any call. */
    void carryNothing() {
        slotBytes = 0;
    }

    /** Makes the streams, before the first call. Needs the context current. */
    void open() {
        if (out == null) {
            int links = Integer.numberOfTrailingZeros(Integer.highestOneBit(ranks));
            CUstream[] streams = new CUstream[links];
            copied = new CUevent[links];
            for (int link = 0; link < links; link++) {
                streams[link] = gpu.newStream();
                copied[link] = event();
            }
            toHost = gpu.newStream();
            fromHost = gpu.newStream();
            now = event();
            pinned = new PinnedMemory(PINNED_BYTES);
            out = streams;
        }
    }

    private static CUevent event() {
        CUevent event = new CUevent();
        CudaResult.check(JCudaDriver.cuEventCreate(event, CUevent_flags.CU_EVENT_DISABLE_TIMING), "cuEventCreate");
        return event;
    }

    /** Called by all members before the first call with a share for host memory. */
    void prepare(Waiting waiting) {
        if (slotBytes < 0) {
            long slots = memory.slots(gpu, rank, ranks, waiting);
            slotBytes = slots * GroupHostMemory.SLOT_BYTES / ((long) ranks * SLOTS) / GRAIN * GRAIN;
        }
    }

    /** Most bytes of a piece; 0: nothing goes through host memory. */
    long slotBytes() {
        return Math.max(0, slotBytes);
    }

    /** Puts a piece into this member's next host slot. */
    void push(CUdeviceptr data, long bytes) {
        if (sent >= SLOTS) {
            await(toHost, rank ^ 1, TAKEN, sent - SLOTS + 1);
        }
        copy(toHost, slot(rank, sent), data, bytes);
        tell(toHost, rank, SENT, ++sent);
    }

    /** Takes the partner's next piece. */
    void take(CUdeviceptr data, long bytes) {
        await(fromHost, rank ^ 1, SENT, taken + 1);
        copy(fromHost, data, slot(rank ^ 1, taken), bytes);
        tell(fromHost, rank, TAKEN, ++taken);
    }

    private CUdeviceptr slot(int member, int piece) {
        return Addresses
            .device(Addresses.of(memory.slot(0)) + (member * SLOTS + Math.floorMod(piece, SLOTS)) * slotBytes);
    }

    static void copy(CUstream stream, CUdeviceptr target, CUdeviceptr source, long bytes) {
        CudaResult.check(JCudaDriver.cuMemcpyAsync(target, source, bytes, stream), "cuMemcpyAsync");
    }

    void await(CUstream stream, int member, int word, int value) {
        CudaResult.check(JCudaDriver.cuStreamWaitValue32(stream, memory.word(at(member, word)), value,
            CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_GEQ), "cuStreamWaitValue32");
    }

    void tell(CUstream stream, int member, int word, int value) {
        CudaResult.check(JCudaDriver.cuStreamWriteValue32(stream, memory.word(at(member, word)), value, 0),
            "cuStreamWriteValue32");
    }

    private static int at(int member, int word) {
        return GroupHostMemory.PAIRS + LINE * (WORDS * member + word);
    }

    /** A stream's later work waits for what another has been given so far. */
    void follow(CUstream stream, CUstream other) {
        record(now, other);
        follow(stream, now);
    }

    static void record(CUevent event, CUstream stream) {
        CudaResult.check(JCudaDriver.cuEventRecord(event, stream), "cuEventRecord");
    }

    static void follow(CUstream stream, CUevent event) {
        CudaResult.check(JCudaDriver.cuStreamWaitEvent(stream, event, 0), "cuStreamWaitEvent");
    }

    /** As {@link HostStripe#release}. */
    void release() {
        if (out == null) {
            return;
        }
        memory.giveUp();
        int most = AHEAD + Math.max(chunks, Math.max(sent, taken));
        for (int member = 0; member < ranks; member++) {
            for (int word = 0; word <= TAKEN; word++) {
                memory.put(at(member, word), most);
            }
        }
    }

    /** Needs the context current. */
    boolean isRunning() {
        boolean running = false;
        for (int link = 0; out != null && link < out.length; link++) {
            running |= CudaResult.query(out[link]) == CUresult.CUDA_ERROR_NOT_READY;
        }
        return running || out != null && (CudaResult.query(toHost) == CUresult.CUDA_ERROR_NOT_READY
            || CudaResult.query(fromHost) == CUresult.CUDA_ERROR_NOT_READY);
    }

    /** Needs the context current; nothing may run. */
    void free() {
        if (out != null) {
            for (int link = 0; link < out.length; link++) {
                JCudaDriver.cuStreamDestroy(out[link]);
                JCudaDriver.cuEventDestroy(copied[link]);
            }
            JCudaDriver.cuStreamDestroy(toHost);
            JCudaDriver.cuStreamDestroy(fromHost);
            JCudaDriver.cuEventDestroy(now);
            pinned.free();
            out = null;
        }
    }
}

package org.brigade.transport.cuda.group;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamWaitValue_flags;
import jcuda.driver.JCudaDriver;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup.Waiting;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.kernel.CallArguments;

/**
 * The end of a broadcast's vector that goes through host memory while the rest uses the links between GPUs; the links
 * to the host would otherwise be idle. The root's copy engine writes it, piece by piece, into slots that all members
 * share, and their copy engines copy each piece as it comes. It leaves the root once, however many members there are.
 * No host is needed in between: everything is in streams, which wait for words that other streams write.
 *
 * <p>
 * A. Sojoodi et al. stripe copies over NVLink and host memory in this way. It pays for more than two members because
 * the part in host memory serves all receivers at once.
 *
 * <p>
 * Calls that use it have {@linkplain DeviceCall#met met}: all slots are free when one begins.
 */
final class HostStripe {
    /** A shorter piece costs more than it carries. */
    private static final long LEAST_BYTES = 64 << 10;
    private static final int PIECES = 16;
    /** The rest of the vector ends at a multiple of this. */
    private static final long GRAIN = 256;

    /** More than a call counts, so that a released word satisfies all waits, also those still to come. */
    private static final int AHEAD = 1 << 30;

    private final Gpu gpu;
    private final int rank;
    private final int ranks;
    private final GroupHostMemory memory;
    /** For what runs beside the group's stream. */
    final CUstream side;
    private final CUevent ended = new CUevent();
    /** Copies and pieces of all calls so far, the running one included. */
    private int copies;
    private int pieces;
    /** -1 until some call needs slots. */
    private int slots = -1;

    /** Needs the context current. The memory's header is page-locked. */
    HostStripe(Gpu gpu, int rank, int ranks, GroupHostMemory memory) {
        this.gpu = gpu;
        this.rank = rank;
        this.ranks = ranks;
        this.memory = memory;
        side = gpu.newStream();
        CudaResult.check(JCudaDriver.cuEventCreate(ended, CUevent_flags.CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    }

    /**
     * Makes all shares 0: the members' GPUs have no links beside those to the host, so none would be idle. Called on
     * all members or none, before any call.
     */
    void carryNothing() {
        slots = 0;
    }

    /** Called by all members before the first call with a share for host memory. */
    void prepare(Waiting waiting) {
        if (slots < 0) {
            slots = memory.slots(gpu, rank, ranks, waiting);
        }
    }

    /** Bytes at the vector's end that go through host memory, the same on all members. */
    long share(DeviceCall call) {
        long bytes = slots <= 0 ? 0 : call.bytes / 100 * call.choice.sharePercent();
        return bytes < LEAST_BYTES ? 0 : call.bytes - (call.bytes - bytes) / GRAIN * GRAIN;
    }

    /**
     * Begins to move the last {@code bytes} of this rank's vector.
     *
     * @param wished bytes of a piece; 0: the best for this length
     */
    void begin(int root, long address, long bytes, long wished) {
        long piece = Math.max(LEAST_BYTES,
            Math.min(GroupHostMemory.SLOT_BYTES, ((wished > 0 ? wished : bytes / PIECES) + GRAIN - 1) / GRAIN * GRAIN));
        int count = (int) ((bytes + piece - 1) / piece);
        for (int k = 0; k < count; k++) {
            CUdeviceptr data = Addresses.device(address + k * piece);
            long length = Math.min(piece, bytes - k * piece);
            CUdeviceptr slot = memory.slot(k % slots);
            if (rank == root) {
                for (int member = 0; k >= slots && member < ranks; member++) {
                    if (member != root) {
                        await(side, GroupHostMemory.taken(member), pieces + k - slots + 1);
                    }
                }
                copy(slot, data, length);
                tell(side, GroupHostMemory.SENT, pieces + k + 1);
            } else {
                await(side, GroupHostMemory.SENT, pieces + k + 1);
                copy(data, slot, length);
                tell(side, GroupHostMemory.taken(rank), pieces + k + 1);
            }
        }
        pieces += count;
    }

    /** Copies to the other of two ranks in a stream. */
    void push(CUstream stream, long target, long source, long bytes) {
        CudaResult.check(
            JCudaDriver.cuMemcpyDtoDAsync(Addresses.device(target), Addresses.device(source), bytes, stream),
            "cuMemcpyDtoDAsync");
        tell(stream, GroupHostMemory.COPIED, ++copies);
    }

    /** The other end of {@link #push}. */
    void awaitPush(CUstream stream) {
        await(stream, GroupHostMemory.COPIED, ++copies);
    }

    /** Makes a stream wait for what was begun. */
    void join(CUstream stream) {
        CudaResult.check(JCudaDriver.cuEventRecord(ended, side), "cuEventRecord");
        CudaResult.check(JCudaDriver.cuStreamWaitEvent(stream, ended, 0), "cuStreamWaitEvent");
    }

    /** Writes the end of a call when a stream has reached it. */
    static void finish(CUstream stream, CallArguments arguments) {
        CudaResult.check(
            JCudaDriver.cuStreamWriteValue64(stream, Addresses.device(arguments.finished()), arguments.ticket(), 0),
            "cuStreamWriteValue64");
    }

    private void copy(CUdeviceptr target, CUdeviceptr source, long bytes) {
        CudaResult.check(JCudaDriver.cuMemcpyAsync(target, source, bytes, side), "cuMemcpyAsync");
    }

    private void await(CUstream stream, int word, int value) {
        CudaResult.check(JCudaDriver.cuStreamWaitValue32(stream, memory.word(word), value,
            CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_GEQ), "cuStreamWaitValue32");
    }

    private void tell(CUstream stream, int word, int value) {
        CudaResult.check(JCudaDriver.cuStreamWriteValue32(stream, memory.word(word), value, 0), "cuStreamWriteValue32");
    }

    /**
     * Releases this rank's streams, whatever they wait for. Repeat it while they run: a peer's stream may overwrite a
     * word. Any thread; never throws.
     */
    void release() {
        memory.giveUp();
        memory.put(GroupHostMemory.COPIED, copies + AHEAD);
        memory.put(GroupHostMemory.SENT, pieces + AHEAD);
        for (int member = 0; member < ranks; member++) {
            memory.put(GroupHostMemory.taken(member), pieces + AHEAD);
        }
    }

    /** Whether a member has released its streams, so that the data may be undefined. */
    boolean isGivenUp() {
        return memory.isGivenUp();
    }

    /** Needs the context current. */
    boolean isRunning() {
        return CudaResult.query(side) == CUresult.CUDA_ERROR_NOT_READY;
    }

    /** Needs the context current; nothing may run. */
    void free() {
        JCudaDriver.cuStreamDestroy(side);
        JCudaDriver.cuEventDestroy(ended);
        memory.free();
    }
}

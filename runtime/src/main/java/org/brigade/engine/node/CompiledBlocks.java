package org.brigade.engine.node;

import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.CompiledExchange;
import org.brigade.nativ.CompiledReductions;
import org.brigade.op.Combiner;
import org.brigade.waiting.FlightRecorder;

/**
 * Calls with the {@link PulledBlocks} of a communicator, one after another, as {@link CompiledExchange}: which of them
 * it can serve, and where their bytes lie. Under the lock.
 */
public final class CompiledBlocks {
    /** Longer results are not copied by compiled code, for which a collector may have to wait. */
    private static final int MOST_BYTES = 32 << 10;

    private final PulledBlocks blocks;
    private final int rank;
    private final FlightRecorder recorder;
    private final CompiledExchange exchange;
    // Of the call that has been taken.
    private int end;
    private int number;
    private int from;
    private int length;
    private Object source;
    private long sourceAt;
    private Object target;
    private long targetAt;

    private CompiledBlocks(PulledBlocks blocks, int rank, long[] addresses, FlightRecorder recorder) {
        this.blocks = blocks;
        this.rank = rank;
        this.recorder = recorder;
        exchange = CompiledExchange.of(addresses, rank, recorder.address(), recorder.clockAddress());
    }

    /** Null without the library. Loads it. */
    static CompiledBlocks of(PulledBlocks blocks, NativeMemory[] slots, int rank, FlightRecorder recorder) {
        if (!CompiledExchange.isThere()) {
            return null;
        }
        long[] addresses = new long[slots.length];
        for (int member = 0; member < slots.length; member++) {
            addresses[member] = slots[member].address();
        }
        return new CompiledBlocks(blocks, rank, addresses, recorder);
    }

    /**
     * Takes a call, if compiled code can serve it.
     *
     * @param bytes of this rank's block
     * @param sendAt where that begins in the buffer to send
     * @param partAt where this rank's part of the blocks begins, in a reduce-scatter
     * @param inRankOrder whether an allreduce adds up from rank 0 on
     * @param incomingLast the reduction; null if the collective has none
     */
    public boolean takes(Call call, int bytes, Region send, long sendAt, Region recv, int partAt, boolean inRankOrder,
        Combiner incomingLast) {
        source = null;
        target = null;
        sourceAt = 0;
        targetAt = 0;
        from = 0;
        length = bytes;
        number = incomingLast == null ? CompiledReductions.NONE : incomingLast.compiled();
        if (call.collective == Collective.BARRIER) {
            end = CompiledExchange.NOTHING;
            return true;
        }
        if (call.collective == Collective.ALLGATHER || call.collective == Collective.ALLGATHERV) {
            end = CompiledExchange.GATHER;
            if (!call.recv.blocks.isDense(bytes) || (long) call.ranks * bytes > MOST_BYTES) {
                return false;
            }
        } else if (number == CompiledReductions.NONE) {
            return false;
        } else if (call.collective == Collective.REDUCE_SCATTER) {
            end = CompiledExchange.FAR_FIRST;
            from = partAt;
            length = (int) call.send.blocks.length(rank);
        } else {
            end = inRankOrder ? CompiledExchange.RANK_ORDER : CompiledExchange.NEAR_FIRST;
        }
        int shift = number == CompiledReductions.NONE ? 0 : CompiledReductions.shift(number);
        if (!send.isPlain(sendAt, shift) || !recv.isPlain(0, shift)) {
            return false;
        }
        source = send.array();
        sourceAt = (source == null ? send.address() : send.offset()) + sendAt;
        target = recv.array();
        targetAt = target == null ? recv.address() : recv.offset();
        return true;
    }

    /**
     * Publishes this rank's block and does all of the call if the others' are there soon; see
     * {@link CompiledExchange#run}.
     */
    public int run(long tag, long what, int looks) {
        int entry = recorder.unwritten(tag - 1);
        int state = exchange.run(blocks.at(), tag, what, end, number, source, sourceAt, target, targetAt, from, length,
            looks, recorder.unwrittenCall(), entry);
        if (state == CompiledExchange.DONE && entry != FlightRecorder.NONE) {
            recorder.written();
        }
        return state;
    }

    /** Goes on with a call that was {@link CompiledExchange#LATE}. */
    public int end(long tag, long what, int looks) {
        return exchange.end(blocks.at(), tag, what, end, number, target, targetAt, from, length, looks);
    }

    /** Forgets the caller's buffers. */
    public void clear() {
        source = null;
        target = null;
    }
}

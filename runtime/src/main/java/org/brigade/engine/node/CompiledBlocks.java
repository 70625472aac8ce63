package org.brigade.engine.node;

import java.nio.Buffer;
import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.CompiledExchange;
import org.brigade.nativ.CompiledReductions;
import org.brigade.nativ.Libc;
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
    // The call that has been taken, and its buffers.
    private CompiledCall taken;
    private Object source;
    private long sourceAt;
    private Object target;
    private long targetAt;
    /** For a call that is described anew. */
    private CompiledCall spare = new CompiledCall();

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
        CompiledCall how = spare;
        taken = how;
        source = null;
        target = null;
        sourceAt = 0;
        targetAt = 0;
        how.from = 0;
        how.length = bytes;
        how.bytes = bytes;
        how.number = incomingLast == null ? CompiledReductions.NONE : incomingLast.compiled();
        how.inRankOrder = inRankOrder;
        how.incomingLast = incomingLast;
        if (call.collective == Collective.BARRIER) {
            how.end = CompiledExchange.NOTHING;
            return true;
        }
        if (call.collective == Collective.ALLGATHER || call.collective == Collective.ALLGATHERV) {
            how.end = CompiledExchange.GATHER;
            if (!call.recv.blocks.isDense(bytes) || (long) call.ranks * bytes > MOST_BYTES) {
                return false;
            }
        } else if (how.number == CompiledReductions.NONE) {
            return false;
        } else if (call.collective == Collective.REDUCE_SCATTER) {
            how.end = CompiledExchange.FAR_FIRST;
            how.from = partAt;
            how.length = (int) call.send.blocks.length(rank);
        } else {
            how.end = inRankOrder ? CompiledExchange.RANK_ORDER : CompiledExchange.NEAR_FIRST;
        }
        int shift = how.number == CompiledReductions.NONE ? 0 : CompiledReductions.shift(how.number);
        if (!send.isPlain(sendAt, shift) || !recv.isPlain(0, shift)) {
            return false;
        }
        source = send.array();
        sourceAt = (source == null ? send.address() : send.offset()) + sendAt;
        target = recv.array();
        targetAt = target == null ? recv.address() : recv.offset();
        how.beyond = (1 << shift) - 1;
        how.sendIsArray = source != null;
        how.sendAt = send.offset() + sendAt;
        how.recvIsArray = target != null;
        how.recvAt = recv.offset();
        return true;
    }

    /**
     * How the call that has been taken runs, for {@link #takesAgain}; null if its buffers are others than arrays and
     * direct ones.
     */
    public CompiledCall remember(Call call) {
        CompiledCall how = taken;
        if (how.end != CompiledExchange.NOTHING
            && !(isPlain(call.send.buffer, how.sendIsArray) && isPlain(call.recv.buffer, how.recvIsArray))) {
            return null;
        }
        spare = new CompiledCall();
        return how;
    }

    /** The array behind a heap buffer lies elsewhere each time. */
    private static boolean isPlain(Object buffer, boolean isArray) {
        return !isArray || !(buffer instanceof Buffer);
    }

    /**
     * Makes a call that is described as one before (see {@link Call#memo}): publishes this rank's block and does all of
     * the call if the others' are there soon.
     *
     * @param word the first of the call's entry in the flight recorder, and the number of that
     * @param begun how many calls this rank has begun
     * @return as {@link CompiledExchange#run}
     */
    public int again(CompiledCall how, Call call, long tag, int looks, long word, int entry, long begun) {
        Object from = null;
        Object to = null;
        long fromAt = how.sendAt;
        long toAt = how.recvAt;
        if (how.end != CompiledExchange.NOTHING) {
            if (how.sendIsArray) {
                from = call.send.buffer;
            } else {
                fromAt += Libc.address((Buffer) call.send.buffer);
            }
            if (how.recvIsArray) {
                to = call.recv.buffer;
            } else {
                toAt += Libc.address((Buffer) call.recv.buffer);
            }
            if (((fromAt | toAt) & how.beyond) != 0) {
                return CompiledExchange.NO_ARRAY;
            }
        }
        int state = exchange.run(blocks.at(), tag, how.what, how.how, from, fromAt, to, toAt, how.from, how.length,
            looks, word, entry, begun);
        if (state >= CompiledExchange.LATE) {
            taken = how;
            target = to;
            targetAt = toAt;
        }
        return state;
    }

    /**
     * Publishes this rank's block and does all of the call if the others' are there soon; see
     * {@link CompiledExchange#run}.
     */
    public int run(long tag, long what, int looks) {
        CompiledCall how = taken;
        how.what = what;
        how.how = CompiledExchange.how(how.end, how.number);
        exchange.reserve(how.length);
        int entry = recorder.unwritten(tag - 1);
        return noted(entry, exchange.run(blocks.at(), tag, what, how.how, source, sourceAt, target, targetAt,
            how.from, how.length, looks, recorder.unwrittenCall(), entry, 0));
    }

    /** Goes on with a call that was {@link CompiledExchange#LATE}: see {@link CompiledExchange#end}. */
    public int end(long tag, int looks, int nanos, boolean yields) {
        CompiledCall how = taken;
        int entry = recorder.unwritten(tag - 1);
        return noted(entry, exchange.end(blocks.at(), tag, how.what, how.how, target, targetAt, how.from, how.length,
            looks, nanos, yields, recorder.unwrittenCall(), entry));
    }

    /** Compiled code has noted a call that is done, if that was still to do. */
    private int noted(int entry, int state) {
        if (state == CompiledExchange.DONE && entry != FlightRecorder.NONE) {
            recorder.written();
        }
        return state;
    }

    /** Calls that are made again are counted at this address; 0: nowhere. */
    public void countsAt(long word) {
        exchange.countsAt(word);
    }

    /** Forgets the caller's buffers. */
    public void clear() {
        source = null;
        target = null;
    }
}

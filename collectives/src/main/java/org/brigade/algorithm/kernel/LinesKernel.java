package org.brigade.algorithm.kernel;

import mpi.spi.Collective;
import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.DeviceKernel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Registration;

/**
 * {@code lines}: data travels through the members' scratch memory only, a flag with each 112 bytes.
 *
 * <p>
 * Kernel: lines.cuh. Flags waited for: 1; in allreduce, reduce and bcast of more than two ranks 2, as ranks reduce
 * their slices, or get pieces of the vector, and send those on. Bytes: 8/7 of what the collective exchanges.
 * Restrictions: the size of a scratch slot; a reduce-scatter not in place. On streams it serves calls whatever is
 * registered.
 */
public final class LinesKernel extends DeviceKernel {
    private static final int THREADS = 512;
    /** Of call.cuh and device.cuh: a line, what of it is data, and the lines of a call from all members. */
    public static final int LINE_BYTES = 128;
    public static final int LINE_DATA = 112;
    public static final long CALL_BYTES = 8 << 20;

    private static final int LINE_LANES = 8;
    /** What of them is data, but for the ends of slots and the last lines of blocks. */
    private static final long MOST_BYTES = CALL_BYTES / LINE_BYTES * LINE_DATA - 4 * RANKS * LINE_BYTES;
    /** Each thread then has a line of its own for each peer, and no multiprocessor more than its share of stores. */
    private static final long BYTES_A_BLOCK = THREADS / LINE_LANES * LINE_DATA / 2;
    private static final int MOST_BLOCKS = 128;

    public LinesKernel() {
        super("lines", "lines", THREADS);
    }

    @Override
    public String movingSymbol() {
        return "lines_place";
    }

    @Override
    protected long mostBytes(Collective collective) {
        return switch (collective) {
            case ALLREDUCE, REDUCE, BCAST -> MOST_BYTES / 2;
            default -> MOST_BYTES;
        };
    }

    @Override
    protected boolean divides(Collective collective) {
        // Each rank has a slot for each other one. In allgatherv and reduce-scatter one block may be all there is.
        return switch (collective) {
            case ALLREDUCE, REDUCE, BCAST -> false;
            default -> true;
        };
    }

    @Override
    protected boolean apart(Collective collective) {
        return collective == Collective.REDUCE_SCATTER;
    }

    @Override
    public boolean runsOnStreams(Collective collective, int registered) {
        return collective != Collective.REDUCE_SCATTER || registered != Registration.OVERWRITTEN;
    }

    @Override
    public int blocks(BlockExchange call) {
        return (int) Math.max(1, Math.min(MOST_BLOCKS, each(call) / BYTES_A_BLOCK));
    }

    /** Bytes for one peer; of unequal blocks their mean. */
    private static long each(BlockExchange call) {
        return switch (call.collective) {
            case ALLREDUCE, REDUCE -> call.ranks > 2 ? call.bytes / call.ranks : call.bytes;
            case REDUCE_SCATTER -> call.bytes / call.ranks;
            case BCAST -> call.bytes / Math.max(1, call.ranks - 1);
            default -> call.bytes;
        };
    }

    @Override
    public int flags(BlockExchange call) {
        return switch (call.collective) {
            case ALLREDUCE, REDUCE -> call.ranks > 2 ? GATHERED : 0;
            case BCAST -> RELAYED;
            default -> 0;
        };
    }

    @Override
    public double cost(CostModel model, Collective collective, PredictedCall call) {
        boolean sendsOn = !divides(collective);
        int phases = sendsOn && call.ranks() > 2 ? 2 : 1;
        double bytes = switch (collective) {
            case BCAST -> call.bytes();
            case REDUCE -> phases * others(call) / call.ranks() * call.bytes();
            default -> exchanged(collective, call);
        };
        return model.start() + phases * FLAG + model.transfer(bytes) * LINE_BYTES / LINE_DATA;
    }
}

package org.brigade.algorithm.kernel;

import mpi.spi.Collective;
import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.DeviceKernel;
import org.brigade.algorithm.PredictedCall;

/**
 * {@code packets}: every datum travels with a flag through the members' scratch memory only.
 *
 * <p>
 * Kernel: packets.cuh. Flags waited for: 1. Bytes: each twice, as 8 bytes of data carry 8 of flags; in an allreduce
 * every rank sends the whole vector to all. Restrictions: the size of a scratch slot. It sends everything before it
 * writes any result, so it serves all calls in place, and calls on streams whatever is registered.
 */
public final class PacketsKernel extends DeviceKernel {
    /** Most bytes from one rank to another: a slot of the scratch memory. */
    public static final long MOST_BYTES = 256 << 10;

    private static final int THREADS = 512;
    private static final int WARP = 32;
    private static final int BYTES_A_THREAD = 8;
    /** Up to so many bytes one thread block sends all with one store a thread. */
    private static final long ONE_BLOCK = THREADS * BYTES_A_THREAD;
    /** Up to so many bytes more and smaller blocks do: each multiprocessor then has fewer stores to bring out. */
    private static final long SMALL_BLOCKS = 64 << 10;
    private static final int MOST_BLOCKS = 32;
    /** The thread that acknowledges earlier calls is in another warp than those that send a short block. */
    private static final int FEWEST_THREADS = 64;

    public PacketsKernel() {
        super("packets", "packets", THREADS);
    }

    @Override
    public String movingSymbol() {
        return "packets_place";
    }

    @Override
    protected long mostBytes(Collective collective) {
        return MOST_BYTES;
    }

    @Override
    protected boolean apart(Collective collective) {
        return false;
    }

    @Override
    public boolean resident() {
        return true;
    }

    @Override
    public boolean runsOnStreams(Collective collective, int registered) {
        return true;
    }

    @Override
    public int threads(BlockExchange call) {
        long bytes = each(call);
        // Counts that only some ranks know are 0 here on all ranks.
        if (bytes == 0 || bytes > SMALL_BLOCKS) {
            return THREADS;
        }
        return bytes > ONE_BLOCK ? THREADS / 2
            : (int) Math.max(FEWEST_THREADS, bytes / BYTES_A_THREAD + WARP - 1 & -WARP);
    }

    @Override
    public int blocks(BlockExchange call) {
        long bytes = each(call);
        long most = bytes > ONE_BLOCK && bytes <= SMALL_BLOCKS ? ONE_BLOCK / 2 : ONE_BLOCK;
        return (int) Math.min(MOST_BLOCKS, (bytes + most - 1) / most);
    }

    /** Bytes for one peer; of unequal blocks their mean. */
    private static long each(BlockExchange call) {
        return call.collective == Collective.REDUCE_SCATTER ? call.bytes / call.ranks : call.bytes;
    }

    @Override
    public int mostBlocks(BlockExchange call) {
        // Blocks of unequal lengths in place: only a single thread block reads all before it writes. All members must
        // compute the same grid, in place or not.
        return call.collective == Collective.REDUCE_SCATTER && call.unequal ? 1 : Integer.MAX_VALUE;
    }

    @Override
    public double cost(CostModel model, Collective collective, PredictedCall call) {
        boolean toAll = collective == Collective.ALLREDUCE;
        return model.start() + FLAG
            + 2 * model.transfer(toAll ? others(call) * call.bytes() : exchanged(collective, call));
    }
}

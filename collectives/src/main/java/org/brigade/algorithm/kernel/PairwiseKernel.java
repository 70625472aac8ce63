package org.brigade.algorithm.kernel;

import mpi.spi.Collective;
import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.DeviceKernel;
import org.brigade.algorithm.EdgeList;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Registration;

/**
 * {@code pairwise}: for calls of which each rank knows its own counts only, and those among neighbours. Each pair of
 * ranks goes its own way, by what goes from one to the other: short blocks as {@code packets}, long ones as
 * {@code push}.
 *
 * <p>
 * Kernel: pairwise.cu. Flags waited for: 1 or 2. Bytes: what is exchanged, short blocks twice. Restrictions: not in
 * place where all ranks have blocks for all; at most {@link #MOST_EDGES} blocks out of a rank and as many in. What is
 * in a rank's grid depends on its own blocks; what serves a pair, on the pair's.
 */
public final class PairwiseKernel extends DeviceKernel {
    /** Most blocks that one rank sends, or receives: MOST_EDGES of pairwise.cu. */
    public static final int MOST_EDGES = 32;
    /** A packet carries so many bytes. */
    public static final int UNIT = 8;
    /** Up to so many bytes from one rank to another go by packets: for more, twice the bytes take longer. */
    static final long SHORT_BYTES = 96 << 10;

    /** Blocks of up to so many bytes go by packets, however many there are. */
    public static final long SHORT_BLOCK = SHORT_BYTES / MOST_EDGES;

    private static final int SHORT_THREADS = 512;
    private static final int THREADS = 1024;
    private static final int WARP = 32;
    private static final int FEWEST_THREADS = 64;
    private static final int MOST_SHORT_BLOCKS = 32;

    public PairwiseKernel() {
        super("pairwise", "pairwise", THREADS);
    }

    /** Units of a block in packets. */
    public static long units(long bytes) {
        return (bytes + UNIT - 1) / UNIT;
    }

    /** Whether all edges from one rank to another go by packets. The same at both ends. */
    public static boolean isShort(EdgeList edges, int peer) {
        long all = 0;
        for (int edge = 0; edge < edges.count(); edge++) {
            all += edges.peer(edge) == peer ? units(edges.bytes(edge)) : 0;
        }
        return all * UNIT <= SHORT_BYTES;
    }

    /** Thread blocks that carry a pair's long edges; 0 if it has none. The same at both ends. */
    public static int carriers(EdgeList edges, int peer, int most) {
        if (isShort(edges, peer)) {
            return 0;
        }
        long bytes = 0;
        for (int edge = 0; edge < edges.count(); edge++) {
            bytes += edges.peer(edge) == peer ? edges.bytes(edge) : 0;
        }
        return Math.min(most, bulkBlocks(bytes));
    }

    private static long shortUnits(EdgeList edges) {
        long all = 0;
        for (int edge = 0; edge < edges.count(); edge++) {
            all += isShort(edges, edges.peer(edge)) ? units(edges.bytes(edge)) : 0;
        }
        return all;
    }

    @Override
    public boolean edges() {
        return true;
    }

    @Override
    public boolean runsOnStreams(Collective collective, int registered) {
        return (registered & Registration.RECV) != 0;
    }

    @Override
    public boolean storesInto(BlockExchange call, int member) {
        return call.sendBytes[member] > 0 && !isShort(call.out, member);
    }

    /** For one rank's packets; what carries long blocks comes to that. */
    @Override
    public int blocks(BlockExchange call) {
        long units = Math.max(shortUnits(call.out), shortUnits(call.in));
        return (int) Math.max(1, Math.min(MOST_SHORT_BLOCKS, (units + SHORT_THREADS - 1) / SHORT_THREADS));
    }

    @Override
    public int threads(BlockExchange call) {
        for (int member = 0; member < call.ranks; member++) {
            if (!isShort(call.out, member) || !isShort(call.in, member)) {
                return THREADS;
            }
        }
        long units = Math.max(shortUnits(call.out), shortUnits(call.in));
        return (int) Math.max(FEWEST_THREADS, Math.min(SHORT_THREADS, units + WARP - 1 & -WARP));
    }

    @Override
    public double cost(CostModel model, Collective collective, PredictedCall call) {
        return model.start() + 2 * FLAG + model.transfer(exchanged(collective, call));
    }
}

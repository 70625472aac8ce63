package org.brigade.algorithm.kernel;

import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.DeviceKernel;

/**
 * A kernel for large messages that goes by windows (bandwidth.cuh): each thread block, or pair of blocks, has a stretch
 * of everything and moves it window by window.
 */
public abstract class PipelineKernel extends DeviceKernel {
    private static final int THREADS = 512;
    /** Bytes below which a further block costs more than it carries. */
    private static final long BYTES_A_BLOCK = 16 << 10;
    /** As many blocks keep a link busy as their 16-byte stores can. */
    private static final int MOST_LANES = 64;
    private static final int FEWEST_LANES = 2;
    /**
     * Windows that a stretch is cut into, so that filling and emptying the pipeline does not count, as long as none is
     * too short for its flag.
     */
    private static final int WINDOWS_A_STRETCH = 16;
    private static final long SHORTEST_WINDOW = 8 << 10;
    private static final long LONGEST_WINDOW = 64 << 10;
    /**
     * The scratch holds at least so many windows of every stretch and sender: one to be filled while another is
     * emptied.
     */
    private static final int FEWEST_SLOTS = 2;
    /** GRAIN of bandwidth.cuh. */
    private static final long GRAIN = 128;

    protected PipelineKernel(String name, String symbol) {
        super(name, symbol, THREADS);
    }

    @Override
    protected final boolean aligned() {
        return true;
    }

    @Override
    public final boolean pipelined() {
        return true;
    }

    /**
     * Bytes of what is cut into stretches, one a lane: a rank's slice or block, or the vector. The same on all members.
     */
    protected abstract long cut(BlockExchange call);

    /** Windows of one slot that a lane has in a scratch; 0: what moves does not go through scratch. */
    protected int windowsOfASlot(BlockExchange call) {
        return 0;
    }

    /** Thread blocks that share a lane. */
    protected int blocksOfALane() {
        return 1;
    }

    @Override
    public final int blocks(BlockExchange call) {
        return blocksOfALane() * (int) Math.max(FEWEST_LANES, Math.min(MOST_LANES, cut(call) / BYTES_A_BLOCK));
    }

    @Override
    public final int fewestBlocks() {
        return blocksOfALane();
    }

    @Override
    public final long window(BlockExchange call, int grid, long wished, long room) {
        int lanes = grid / blocksOfALane();
        long right = wished != 0 ? wished
            : Math.max(SHORTEST_WINDOW, Math.min(LONGEST_WINDOW, cut(call) / lanes / WINDOWS_A_STRETCH));
        int windows = windowsOfASlot(call);
        long most = windows == 0 ? Long.MAX_VALUE : room / ((long) lanes * windows * FEWEST_SLOTS);
        return Math.max(GRAIN, Math.min(right, most) & -GRAIN);
    }
}

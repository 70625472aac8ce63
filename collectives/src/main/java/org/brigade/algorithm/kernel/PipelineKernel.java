package org.brigade.algorithm.kernel;

import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.DeviceKernel;

/**
 * A kernel for large messages that works by windows (bandwidth.cuh): each thread block, or pair of blocks, moves one
 * stretch of the data window by window.
 */
public abstract class PipelineKernel extends DeviceKernel {
    private static final int THREADS = 512;
    /** With fewer bytes, another thread block costs more than it carries. */
    private static final long BYTES_A_BLOCK = 16 << 10;
    /** So many thread blocks saturate a link with their 16-byte stores. */
    private static final int MOST_LANES = 64;
    private static final int FEWEST_LANES = 2;
    /**
     * Windows that a stretch is cut into: enough that filling and draining the pipeline does not matter, unless windows
     * become too short for their flags.
     */
    private static final int WINDOWS_A_STRETCH = 16;
    private static final long SHORTEST_WINDOW = 8 << 10;
    private static final long LONGEST_WINDOW = 64 << 10;
    /** Windows of every stretch and sender that the scratch holds at least: one is filled while another is emptied. */
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
     * Bytes of the data that is cut into stretches, one a lane: a rank's slice or block, or the vector. The same on all
     * members.
     */
    protected abstract long cut(BlockExchange call);

    /** Windows that a lane has in each scratch slot; 0 if the data does not go through scratch. */
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

package org.brigade.transport.cuda.kernel;

import java.util.Arrays;

/**
 * The largest grid of a group's kernels. All thread blocks must run at once, as they wait for blocks of other GPUs; so
 * there is at most one a multiprocessor, fewer if members share a GPU.
 */
public final class GridLimits {
    public final int blocks;

    public GridLimits(int blocks) {
        this.blocks = Math.min(blocks, CallArguments.MAX_BLOCKS);
    }

    /**
     * The limit for a group.
     *
     * @param uuids of each member's GPU
     * @param multiprocessors of each member's GPU
     * @param taken multiprocessors of each GPU that other kernels may hold
     */
    public static GridLimits of(byte[][] uuids, int[] multiprocessors, int taken) {
        int least = Integer.MAX_VALUE;
        for (int member = 0; member < uuids.length; member++) {
            int sharing = 0;
            for (byte[] other : uuids) {
                sharing += Arrays.equals(other, uuids[member]) ? 1 : 0;
            }
            least = Math.min(least, Math.max(1, (multiprocessors[member] - taken) / sharing));
        }
        return new GridLimits(least);
    }
}

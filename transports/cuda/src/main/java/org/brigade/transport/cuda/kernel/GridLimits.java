package org.brigade.transport.cuda.kernel;

import java.util.Arrays;

/**
 * The largest grids of a group's kernels. All thread blocks must run at once, as they wait for blocks of other GPUs; so
 * there is at most one a multiprocessor, fewer if members share a GPU.
 *
 * <pre>
 *  blocks     a call that has the device to itself                             all
 *  beside     a blocking call where calls of queues may be under way            what is left
 *  queue       a call of a queue; a process has {@link #QUEUES} on each GPU       an eighth, at most 16; 0: no queues
 * </pre>
 *
 * So a blocking call and one call of each queue always find room together, whatever the order in which they come.
 */
public final class GridLimits {
    /** Queues of a process on each GPU. */
    public static final int QUEUES = 2;
    /** With more blocks, copies over NVLink get hardly faster. */
    private static final int WIDEST_QUEUE = 16;
    private static final int LEAST_BESIDE = 2;

    public final int blocks;
    public final int beside;
    public final int queue;

    public GridLimits(int blocks) {
        this.blocks = Math.min(blocks, CallArguments.MAX_BLOCKS);
        int wide = Math.min(WIDEST_QUEUE, Math.max(1, this.blocks / 8));
        queue = this.blocks - QUEUES * wide < LEAST_BESIDE ? 0 : wide;
        beside = this.blocks - QUEUES * queue;
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

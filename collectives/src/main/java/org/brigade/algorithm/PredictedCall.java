package org.brigade.algorithm;

import org.brigade.pattern.CommunicatorTopology;

/**
 * What an algorithm's cost depends on, beside the algorithm.
 *
 * @param bytes as the tuning table counts them: the vector, one rank's block, or the whole of allgatherv's result and
 * reduce-scatter's input
 * @param chunk bytes of a window; 0: one window, on device memory the launch's own choice
 * @param radix branching of trees, or leaders of a group, 2 or more
 * @param sharePercent percentage of the bytes that goes through host memory; device memory only
 */
public record PredictedCall(int ranks, CommunicatorTopology wires, long bytes, long chunk, int radix,
    int sharePercent) {
    /** A call on host memory, with wires unknown. */
    public PredictedCall(int ranks, long bytes, long chunk, int radix) {
        this(ranks, CommunicatorTopology.NONE, bytes, chunk, radix, 0);
    }

    public int others() {
        return ranks - 1;
    }
}

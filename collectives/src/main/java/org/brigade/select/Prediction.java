package org.brigade.select;

import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.CommunicatorTopology;

/**
 * The algorithm, window and radix that the cost equations think fastest for one call between nodes. Only of algorithms
 * that send messages as their schedules say.
 *
 * <p>
 * Where several ranks share a node's link, the equations hold for algorithms that follow an order or the levels: these
 * pass from node to node once, or their equations count what shares the link. Of others, all of a node's ranks are
 * taken to send over it at once.
 */
final class Prediction {
    private static final int[] RADICES = {2, 4, 8};
    /** Windows beside the one that is best for a chain, as its multiples in halves. */
    private static final int[] HALVES = {1, 2, 4};

    private final CostModel costs;
    /** Of messages that share their node's link with those of its other ranks. */
    private final CostModel shared;
    private final int ranks;
    private final CommunicatorTopology wires;
    private final long bytes;
    private final Forced forced;
    private Algorithm best;
    private long bestChunk;
    private int bestRadix;
    private double least = Double.POSITIVE_INFINITY;

    /** @param forced window and radix that the user wants, if any */
    Prediction(CostModel costs, int ranks, CommunicatorTopology wires, long bytes, Forced forced) {
        this.costs = costs;
        shared = costs.sharedBy(wires.nodes() == 1 ? 1 : wires.local());
        this.ranks = ranks;
        this.wires = wires;
        this.bytes = bytes;
        this.forced = forced;
    }

    void consider(Algorithm algorithm) {
        if (!(algorithm instanceof ScheduledAlgorithm) || algorithm.wireUse() == WireUse.NETWORK) {
            return;
        }
        if (!algorithm.radixed()) {
            consider(algorithm, 2);
        } else if (forced.radix() > 0) {
            consider(algorithm, forced.radix());
        } else {
            for (int radix : RADICES) {
                if (radix == 2 || radix <= ranks) {
                    consider(algorithm, radix);
                }
            }
        }
    }

    private static boolean passesOnce(WireUse use) {
        return use == WireUse.ORDER || use == WireUse.NODE_ORDER || use == WireUse.LEVELS || use == WireUse.NODES
            || use == WireUse.CHAINS;
    }

    private void consider(Algorithm algorithm, int radix) {
        long chunk = algorithm.pipelined() ? costs.bestChunk(algorithm.hops(ranks, wires), bytes) : 0;
        if (algorithm.pipelined() && forced.chunkBytes() > 0) {
            consider(algorithm, forced.chunkBytes(), radix);
        } else if (chunk == 0) {
            consider(algorithm, 0, radix);
        } else {
            for (int halves : HALVES) {
                consider(algorithm, chunk / 2 * halves, radix);
            }
        }
    }

    private void consider(Algorithm algorithm, long chunk, int radix) {
        double cost = algorithm.cost(passesOnce(algorithm.wireUse()) ? costs : shared,
            new PredictedCall(ranks, wires, bytes, chunk, radix, 0));
        if (cost < least) { // false for NaN: no equation
            least = cost;
            best = algorithm;
            bestChunk = chunk;
            bestRadix = radix;
        }
    }

    /** Null if no equation serves. */
    Algorithm algorithm() {
        return best;
    }

    /** Bytes of a window; 0: one window. */
    long chunk() {
        return bestChunk;
    }

    int radix() {
        return bestRadix;
    }
}

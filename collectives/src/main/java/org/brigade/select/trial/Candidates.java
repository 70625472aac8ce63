package org.brigade.select.trial;

import java.util.ArrayList;
import java.util.List;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.pattern.CommunicatorTopology;

/**
 * What to try for calls of a class: first algorithms, then for the best of them shares through the host, thread blocks
 * and chunks, one parameter after another. Only what gives the shipped algorithm's bits ({@link SameBits}).
 */
final class Candidates {
    /** Algorithms whose predicted time is within this factor of the best prediction. */
    private static final double NEAR = 1.5;
    private static final int[] BLOCKS = {8, 16, 32, 64, 128};
    private static final long[] CHUNKS = {8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10};
    /** For copy engines: the pieces of the host's share, or the chunks of pairs. */
    private static final long[] PIECES = {1 << 20, 2 << 20, 4 << 20};
    private static final int[] SHARES = {0, 4, 8, 12};
    /** Between two GPUs of a pair the host may carry nearly as much as the direct link. */
    private static final int[] SHARES_OF_PAIRS = {0, 10, 20, 30, 40};
    private static final long LEAST_SHARED = 16 << 20;
    /** With fewer bytes, one launch differs from another by less than the noise. */
    private static final long LEAST_BLOCKED = 256 << 10;

    /** After the last of these there is nothing to try. */
    static final int PHASES = 4;

    private final SizeClass where;
    private final int ranks;
    private final long bytes;
    private final CostModel costs;

    Candidates(SizeClass where, int ranks, long bytes, CostModel costs) {
        this.where = where;
        this.ranks = ranks;
        this.bytes = bytes;
        this.costs = costs;
    }

    /** What to try in a phase, 0 to {@link #PHASES} - 1, after the best way of those before; without that way. */
    List<Way> of(int phase, Way best) {
        boolean pairs = best.algorithm().kernel().paired();
        boolean copies = best.algorithm().kernel().copies() || pairs;
        List<Way> ways = new ArrayList<>();
        switch (phase) {
            case 0 -> algorithms(ways);
            case 1 -> {
                for (int share : !best.algorithm().striped() || bytes < LEAST_SHARED ? new int[0]
                    : pairs ? SHARES_OF_PAIRS : SHARES) {
                    ways.add(best.with(best.chunk(), best.blocks(), share));
                }
            }
            case 2 -> {
                for (int blocks : copies || bytes < LEAST_BLOCKED ? new int[0] : BLOCKS) {
                    ways.add(best.with(best.chunk(), blocks, best.share()));
                }
            }
            default -> {
                boolean none = !best.algorithm().pipelined() || bytes < LEAST_BLOCKED
                    || copies && !pairs && best.share() == 0;
                for (long chunk : none ? new long[0] : copies ? PIECES : CHUNKS) {
                    ways.add(best.with(chunk, best.blocks(), best.share()));
                }
            }
        }
        ways.remove(best);
        return ways;
    }

    private void algorithms(List<Way> ways) {
        Way shipped = where.shipped();
        List<Way> possible = new ArrayList<>();
        double least = predicted(shipped);
        for (DeviceAlgorithm algorithm : DeviceCatalogue.of(where.collective())) {
            Way way = new Way(algorithm, 0, 0, 0);
            if (!algorithm.staged() && algorithm != shipped.algorithm() && way.serves(ranks, bytes, where.placement())
                && (where.anyOrder() || SameBits.among(shipped.algorithm(), algorithm))) {
                possible.add(way);
                least = Math.min(least, predicted(way));
            }
        }
        for (Way way : possible) {
            if (predicted(way) <= NEAR * least) {
                ways.add(way);
            }
        }
    }

    private double predicted(Way way) {
        return way.algorithm().cost(costs,
            new PredictedCall(ranks, CommunicatorTopology.NONE, bytes, way.chunk(), 2, way.share()));
    }
}

package org.brigade.select;

import java.util.Arrays;
import org.brigade.pattern.Hierarchy;
import org.brigade.pattern.Wires;
import mpi.spi.Collective;

/**
 * Predicts what an algorithm costs when no link is shared: a message of m bytes takes {@code ts + m / B}. The broadcasts are equations
 * (1) to (6) of Xin, Xie, Li: Large Message Broadcast Design for Distributed Machine Learning, 2020 (direct, chain, k-nomial tree, scatter-allgather, pipelined chain, staged k-nomial tree), with the
 * k - 1 children of a tree's rank served one after another; the others follow from their rounds and bytes in the same way. Reducing is folded into
 * receiving and costs nothing beside it. Good for ratios, not for times.
 */
public final class CostModel {
    /** Shorter windows cost more in steps than they overlap. */
    private static final double LEAST_WINDOW = 4 << 10;
    /** Longer ones gain nothing, and fall out of caches and staging areas. */
    private static final double MOST_WINDOW = 4 << 20;

    private final double start;
    private final double perByte;

    /** @param latencyNanos ts; @param gigabytesPerSecond B */
    public CostModel(double latencyNanos, double gigabytesPerSecond) {
        start = latencyNanos;
        perByte = 1 / gigabytesPerSecond;
    }

    /**
     * Nanoseconds for one call; NaN if the model does not know the algorithm.
     *
     * @param bytes as {@link Ladder} counts them
     * @param chunk bytes of a window; 0: one window
     * @param radix branching, 2 or more
     */
    public double nanoseconds(Collective collective, String algorithm, int ranks, long bytes, long chunk, int radix) {
        return nanoseconds(collective, algorithm, ranks, bytes, chunk, radix, Wires.NONE);
    }

    /** As above; algorithms that go by levels go by those of {@code wires}. The model itself takes all links to be alike. */
    public double nanoseconds(Collective collective, String algorithm, int ranks, long bytes, long chunk, int radix, Wires wires) {
        int hops = hops(collective, algorithm, ranks, wires);
        if (hops > 0) {
            return pipeline(hops, messages(collective, algorithm, ranks, radix, wires), bytes, chunk);
        }
        if (algorithm.equals("hierarchical-tree")) {
            return trees(ranks, radix, wires) * (collective == Collective.ALLREDUCE ? 2 : 1) * (start + bytes * perByte);
        }
        if (algorithm.equals("leader-doubling") || algorithm.equals("leader-dissemination")) {
            return leaders(collective, ranks, radix, wires) * (start + bytes * perByte);
        }
        if (algorithm.equals("reflective-memory")) {
            return (stores(ranks, wires) + (collective == Collective.ALLREDUCE ? rounds(ranks, 2) : 0)) * (start + bytes * perByte);
        }
        if (ranks < 2) {
            return bytes * perByte;
        }
        double others = ranks - 1;
        double all = bytes * perByte;
        return switch (collective) {
            case BARRIER -> (algorithm.equals("dissemination") ? rounds(ranks, 2) : algorithm.equals("tree") ? 2 * rounds(ranks, 2) : others) * start;
            case BCAST, REDUCE -> vector(algorithm, ranks, bytes, chunk, radix);
            case ALLREDUCE -> allreduce(algorithm, ranks, bytes, chunk, radix);
            case SCAN, EXSCAN -> algorithm.equals("recursive-doubling") ? rounds(ranks, 2) * (start + all) : vector(algorithm, ranks, bytes, chunk, radix);
            case GATHER, SCATTER -> (algorithm.equals("binomial") ? rounds(ranks, 2) : others) * start + others * all;
            case ALLGATHER -> (logarithmic(algorithm) ? rounds(ranks, 2) : others) * start + others * all;
            case ALLGATHERV -> (logarithmic(algorithm) ? rounds(ranks, 2) : others) * start + others / ranks * all;
            case REDUCE_SCATTER -> reduceScatter(algorithm, ranks, all);
            case ALLTOALL -> algorithm.equals("bruck") ? rounds(ranks, 2) * (start + all * ranks / 2) : others * (start + all);
            case ALLTOALLV, GATHERV, SCATTERV -> others * (start + all);
        };
    }

    /**
     * Nanoseconds of equation (6): a k-nomial tree broadcast of device memory whose root first copies its data to its host, from where they go straight to the devices of the others.
     *
     * @param stagingGigabytesPerSecond of the copy
     */
    public double stagedKnomial(int ranks, long bytes, int radix, double stagingGigabytesPerSecond) {
        return ranks < 2 ? 0 : bytes / stagingGigabytesPerSecond + vector("knomial", ranks, bytes, 0, radix);
    }

    private static boolean logarithmic(String algorithm) {
        return algorithm.equals("bruck") || algorithm.equals("recursive-doubling");
    }

    private double vector(String algorithm, int ranks, long bytes, long chunk, int radix) {
        double others = ranks - 1;
        double all = bytes * perByte;
        return switch (algorithm) {
            case "fused-flat", "direct", "linear", "chain", "flat" -> others * (start + all);
            case "binomial" -> rounds(ranks, 2) * (start + all);
            case "knomial" -> (Math.min(radix, ranks) - 1) * rounds(ranks, radix) * (start + all);
            case "scatter-allgather" -> (rounds(ranks, 2) + others) * start + 2 * others / ranks * all;
            case "rabenseifner" -> 2 * rounds(ranks, 2) * start + 2 * others / ranks * all;
            default -> Double.NaN;
        };
    }

    private double allreduce(String algorithm, int ranks, long bytes, long chunk, int radix) {
        double others = ranks - 1;
        double all = bytes * perByte;
        double fold = Integer.bitCount(ranks) == 1 ? 0 : 2 * (start + all);
        return switch (algorithm) {
            case "fused-flat", "direct-exchange", "flat" -> others * (start + all);
            case "recursive-doubling" -> floorLog(ranks) * (start + all) + fold;
            case "rabenseifner" -> 2 * floorLog(ranks) * start + 2 * others / ranks * all + fold;
            case "ring" -> 2 * others * (start + all / ranks);
            case "segmented-ring" -> 2 * others * (start * windows(bytes / ranks, chunk) + all / ranks);
            case "reduce-bcast" -> rounds(ranks, 2) * (start + all) + (Math.min(radix, ranks) - 1) * rounds(ranks, radix) * (start + all);
            default -> Double.NaN;
        };
    }

    private double reduceScatter(String algorithm, int ranks, double all) {
        double others = ranks - 1;
        return switch (algorithm) {
            case "recursive-halving" -> rounds(ranks, 2) * start + others / ranks * all + (Integer.bitCount(ranks) == 1 ? 0 : start + all);
            default -> others * (start + all / ranks);
        };
    }

    /**
     * The window that makes a pipeline quickest: the C at which equation (5), {@code (M/C + n - 2)(ts + C/B)}, is least, {@code sqrt(M ts B/(n - 2))}, rounded to a power of two and kept within 4 KiB
     * and 4 MiB.
     *
     * @param bytes as {@link Ladder} counts them
     * @return bytes; 0 if the algorithm is no pipeline, so that the model has nothing to say
     */
    public long bestChunk(Collective collective, String algorithm, int ranks, long bytes, Wires wires) {
        int hops = hops(collective, algorithm, ranks, wires);
        if (hops == 0) {
            return 0;
        }
        double best = hops == 1 ? MOST_WINDOW : Math.sqrt(bytes * start / perByte / (hops - 1));
        double within = Math.max(LEAST_WINDOW, Math.min(MOST_WINDOW, best));
        long power = Long.highestOneBit((long) within);
        return within / power > Math.sqrt(2) ? 2 * power : power;
    }

    /** How many ranks every window passes one after another, each passing it on while the next arrives; 0 if the algorithm does not work so. */
    private static int hops(Collective collective, String algorithm, int ranks, Wires wires) {
        boolean both = collective == Collective.ALLREDUCE;
        return switch (algorithm) {
            case "pipelined-chain", "topology-aware-chain" -> ranks - 1;
            case "hierarchical", "multi-leader" -> (both ? 2 : 1) * wires.hierarchy(ranks).chainHops();
            case "in-network" -> 2 * mostOfANode(wires.reducedBetween());
            default -> 0;
        };
    }

    /** Ranks of the largest node; 1 if nothing is known of nodes. */
    private static int mostOfANode(int[] nodeOf) {
        if (nodeOf == null) {
            return 1;
        }
        int[] sorted = nodeOf.clone();
        Arrays.sort(sorted);
        int most = 1;
        int same = 1;
        for (int i = 1; i < sorted.length; i++) {
            same = sorted[i] == sorted[i - 1] ? same + 1 : 1;
            most = Math.max(most, same);
        }
        return most;
    }

    /**
     * How many times the vector's bytes the busiest rank sends. A leader sends on to the next of its group at each level, in an allreduce up as well. With several leaders each sends its slice outwards; within
     * groups slices go both ways from where they enter, so that a rank in the middle sends one slice more than there are.
     */
    private static double messages(Collective collective, String algorithm, int ranks, int radix, Wires wires) {
        boolean one = algorithm.equals("hierarchical");
        if (!one && !algorithm.equals("multi-leader")) {
            return 1;
        }
        Hierarchy hierarchy = wires.hierarchy(ranks);
        int levels = 0;
        int most = 1;
        int outermost = 1;
        for (int level = 1; level <= hierarchy.depth(); level++) {
            int members = hierarchy.most(level);
            levels += members > 1 ? 1 : 0;
            most = Math.max(most, members);
            outermost = members > 1 ? members : outermost;
        }
        boolean both = collective == Collective.ALLREDUCE;
        int leaders = one ? 1 : Math.min(radix, hierarchy.fewest());
        if (leaders == 1) {
            return both ? Math.max(most > 2 ? 2 : 1, levels + (outermost > 2 ? 1 : 0)) : Math.max(1, levels);
        }
        return (both ? 2 : 1) * (1 + (double) levels / leaders);
    }

    /** Equation (5) for any number of hops and of messages that a rank has under way at once, with the windows counted in whole. */
    private double pipeline(int hops, double messages, long bytes, long chunk) {
        double window = chunk == 0 || chunk > bytes ? bytes : chunk;
        return windows(bytes, chunk) * (start + messages * window * perByte) + (hops - 1) * (start + window * perByte);
    }

    /** Messages one after another down the trees of all levels. */
    private static int trees(int ranks, int radix, Wires wires) {
        Hierarchy hierarchy = wires.hierarchy(ranks);
        int messages = 0;
        for (int level = 1; level <= hierarchy.depth(); level++) {
            int members = hierarchy.most(level);
            messages += (Math.min(radix, members) - 1) * rounds(members, radix);
        }
        return messages;
    }

    /** Messages one after another up the trees of all groups, among the leaders of the outermost, and down again. */
    private static int leaders(Collective collective, int ranks, int radix, Wires wires) {
        Hierarchy hierarchy = wires.hierarchy(ranks);
        int groups = hierarchy.most(hierarchy.depth());
        int within = trees(ranks, radix, wires) - (Math.min(radix, groups) - 1) * rounds(groups, radix);
        boolean folds = collective == Collective.ALLREDUCE && Integer.bitCount(groups) != 1;
        return Math.max(1, 2 * within + (folds ? floorLog(groups) + 2 : rounds(groups, 2)));
    }

    /** Messages one after another where one store reaches all groups of the outermost level, and within them leaders send to each: what multicasts cost beside other messages, the model does not know. */
    private static int stores(int ranks, Wires wires) {
        Hierarchy hierarchy = wires.hierarchy(ranks);
        int messages = 1;
        for (int level = 1; level < hierarchy.depth(); level++) {
            messages += hierarchy.most(level) - 1;
        }
        return messages;
    }

    private static double windows(long bytes, long chunk) {
        return chunk == 0 || bytes <= chunk ? 1 : Math.ceil((double) bytes / chunk);
    }

    private static int floorLog(int ranks) {
        return 31 - Integer.numberOfLeadingZeros(ranks);
    }

    /** Rounds of a tree: the least k with radix^k >= ranks. */
    private static int rounds(int ranks, int radix) {
        int rounds = 0;
        for (long reached = 1; reached < ranks; reached *= radix) {
            rounds++;
        }
        return rounds;
    }
}

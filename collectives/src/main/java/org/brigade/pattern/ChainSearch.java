package org.brigade.pattern;

import java.util.Arrays;

/**
 * Finds the chain from a given rank over all ranks whose slowest transfer is fastest: the order and direction in which
 * transfers share links least (Xin, Xie, Li, "Large message broadcast design for distributed machine learning" (2020),
 * section 4.3).
 *
 * <p>
 * Branch and bound, depth first: a partial chain is continued by each remaining rank, the fastest first, and equal ones
 * in the plain chain's order. Adding transfers makes none faster, so a partial chain that is no faster than the best
 * complete one is given up. The first best one is the plain chain: if nothing can be gained, it is the answer.
 *
 * <p>
 * Up to {@value #EXACT} ranks the result is exact. Beyond, each group of the outermost level is searched by itself, in
 * the plain chain's order: after the previous group, whose transfers share its links, and before the next. So groups
 * may run in different directions. Work is bounded, and the result is never slower than the plain chain.
 */
public final class ChainSearch implements Chains {
    /** Most ranks for which the best of all chains is found. */
    public static final int EXACT = 8;
    /** Chains examined in all, shared evenly among the groups; or without groups if there are more than 8 ranks. */
    private static final int BUDGET = 100_000;
    /** Least share of a group: what 8 ranks need if the first try is good. */
    private static final int LEAST = 200;
    /** Bandwidths that differ by less are equal: fair shares are sums of floating-point numbers. */
    private static final double EQUAL = 1 + 1e-9;

    private final ChainBandwidth bandwidth;
    private final Order plain;
    private final Levels levels;

    /**
     * @param plain the order of the plain chain
     * @param levels the outermost level's groups are searched one by one; {@link Levels#NONE} for one group
     */
    public ChainSearch(ChainBandwidth bandwidth, Order plain, Levels levels) {
        this.bandwidth = bandwidth;
        this.plain = plain;
        this.levels = levels;
    }

    @Override
    public Order from(int root) {
        int ranks = plain.ranks();
        int[] along = new int[ranks];
        for (int i = 0; i < ranks; i++) {
            along[i] = plain.rank((plain.position(root) + i) % ranks);
        }
        int[] found = ranks <= EXACT || levels.count() == 0 ? extend(along, 1, BUDGET, -1) : byGroups(along);
        return Order.of(isFaster(found, along) ? found : along);
    }

    /** Compares whole chains: groups were searched with only a part of the chain in view. */
    private boolean isFaster(int[] found, int[] along) {
        return bandwidth.of(found, 0, found.length) > bandwidth.of(along, 0, along.length) * EQUAL;
    }

    private int[] byGroups(int[] along) {
        int outermost = levels.count() - 1;
        int groups = levels.groups(outermost);
        int[][] members = new int[groups][];
        int[] sequence = new int[groups];
        int seen = 0;
        for (int rank : along) {
            int group = levels.group(outermost, rank);
            if (members[group] == null) {
                members[group] = new int[0];
                sequence[seen++] = group;
            }
            members[group] = Arrays.copyOf(members[group], members[group].length + 1);
            members[group][members[group].length - 1] = rank;
        }
        int[] chain = {};
        int before = 0;
        for (int i = 0; i < groups; i++) {
            int[] group = members[sequence[i]];
            int after = i + 1 < groups ? members[sequence[i + 1]][0] : -1;
            // The part found so far that is near enough to share links with this group: the previous group.
            int near = chain.length - before;
            int[] window = Arrays.copyOf(Arrays.copyOfRange(chain, before, chain.length), near + group.length);
            System.arraycopy(group, 0, window, near, group.length);
            int[] best = extend(window, Math.max(near, 1), Math.max(BUDGET / groups, LEAST), after);
            int known = chain.length;
            chain = Arrays.copyOf(chain, known + group.length);
            System.arraycopy(best, near, chain, known, group.length);
            before = known;
        }
        return chain;
    }

    /**
     * The best order of the ranks of {@code window} after the first {@code fixed}; unchanged if there is no better one.
     *
     * @param after the next rank of the chain, or -1
     */
    private int[] extend(int[] window, int fixed, int budget, int after) {
        return new Branches(window, fixed, budget, after).best();
    }

    /** One search. */
    private final class Branches {
        private final int[] window;
        private final int length;
        private final int after;
        private final int[] chain;
        private final boolean[] used;
        private int left;
        private int[] best;
        private double bestRate;

        Branches(int[] window, int fixed, int budget, int after) {
            this.window = window;
            this.length = window.length;
            this.after = after;
            chain = Arrays.copyOf(window, length + 1);
            used = new boolean[length];
            left = budget;
            best = window;
            bestRate = rate(length);
            Arrays.fill(used, 0, fixed, true);
            if (fixed < length) {
                branch(fixed);
            }
        }

        int[] best() {
            return best;
        }

        /** The rate of the chain's first ranks; for all of them, including the next rank. */
        private double rate(int ranks) {
            left--;
            int to = ranks;
            if (ranks == length && after >= 0) {
                chain[to++] = after;
            }
            return bandwidth.of(chain, 0, to);
        }

        private void branch(int at) {
            int[] next = new int[length - at];
            double[] rates = new double[length - at];
            int open = 0;
            for (int i = 0; i < length; i++) {
                if (used[i]) {
                    continue;
                }
                chain[at] = window[i];
                double rate = rate(at + 1);
                int place = open++;
                while (place > 0 && rate > rates[place - 1] * EQUAL) {
                    next[place] = next[place - 1];
                    rates[place] = rates[place - 1];
                    place--;
                }
                next[place] = i;
                rates[place] = rate;
            }
            for (int i = 0; i < open && rates[i] > bestRate * EQUAL; i++) {
                chain[at] = window[next[i]];
                if (at + 1 == length) {
                    best = Arrays.copyOf(chain, length);
                    bestRate = rates[i];
                    return;
                }
                used[next[i]] = true;
                branch(at + 1);
                used[next[i]] = false;
                if (left <= 0) {
                    return;
                }
            }
        }
    }
}

package org.brigade.pattern;

import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * Finds the chain over all ranks from a given one whose slowest transfer is fastest: the order and the direction in which links are not in each other's way (Xin, Xie, Li, "Large message
 * broadcast design for distributed machine learning" (2020), section 4.3).
 *
 * <p>Best first: of all chains begun, the one with the highest bandwidth is continued by each rank that is left. Adding transfers makes none faster, so the first that is complete is the
 * best. Among equals the longer one comes first, then the one nearer to the plain chain: where nothing is to be gained, the answer is the plain chain.
 *
 * <p>Up to {@value #EXACT} ranks that is exact. Beyond, each group of the outermost level is searched by itself, one after another in the plain chain's order: behind the group before, whose
 * transfers share its last links, and before the next one. So each may run in another direction. Work is bounded; in no case is the result slower than the plain chain.
 */
public final class ChainSearch implements Chains {
    /** Most ranks for which the best of all chains is found. */
    public static final int EXACT = 8;
    /** Chains that are looked at in all, shared out evenly among the groups; more than 8 ranks without groups have. */
    private static final int BUDGET = 100_000;
    /** Least share of a group: what 8 ranks need if the first try is good. */
    private static final int LEAST = 200;
    /** Two bandwidths that differ by less are the same: fair shares are sums of floating-point numbers. */
    private static final double EQUAL = 1 + 1e-9;

    private final ChainBandwidth bandwidth;
    private final Order plain;
    private final Levels levels;

    /**
     * @param plain  the order that the plain chain runs in
     * @param levels the outermost one's groups are searched one by one; {@link Levels#NONE} for one group
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
            // What was found so far and is near enough to share links with this group: the group before.
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

    /** A chain begun, by its last rank's place in the window; those it came from lead back to its beginning. */
    private record Begun(Begun from, int place, int length, double bandwidth, long number) implements Comparable<Begun> {
        @Override
        public int compareTo(Begun other) {
            int better = Double.compare(other.bandwidth, bandwidth);
            int longer = better != 0 ? better : Integer.compare(other.length, length);
            return longer != 0 ? longer : Long.compare(number, other.number);
        }

        void fill(int[] window, int[] chain, boolean[] used) {
            Arrays.fill(used, false);
            for (Begun each = this; each != null; each = each.from) {
                chain[each.length - 1] = window[each.place];
                used[each.place] = true;
            }
        }
    }

    /**
     * The best order of the ranks of {@code window} behind the first {@code fixed}.
     *
     * @param after the rank that the chain goes on to, or -1
     */
    private int[] extend(int[] window, int fixed, int budget, int after) {
        int length = window.length;
        int[] chain = Arrays.copyOf(window, length + 1);
        boolean[] used = new boolean[length];
        Begun best = null;
        for (int i = 0; i < fixed; i++) {
            best = new Begun(best, i, i + 1, Double.POSITIVE_INFINITY, 0);
        }
        PriorityQueue<Begun> queue = new PriorityQueue<>();
        long number = 0;
        while (best.length < length && number <= budget) {
            best.fill(window, chain, used);
            for (int i = fixed; i < length; i++) {
                if (!used[i]) {
                    int to = best.length;
                    chain[to++] = window[i];
                    if (to == length && after >= 0) {
                        chain[to++] = after;
                    }
                    queue.add(new Begun(best, i, best.length + 1, Math.min(best.bandwidth, rounded(bandwidth.of(chain, 0, to))), ++number));
                }
            }
            best = queue.poll();
        }
        best.fill(window, chain, used);
        int end = best.length;
        for (int i = 0; i < length; i++) {
            if (!used[i]) {
                chain[end++] = window[i];
            }
        }
        return Arrays.copyOf(chain, length);
    }

    /** Without the digits in which sums of the same shares differ by their order, so that equals are equal. */
    private static double rounded(double rate) {
        return (float) rate;
    }
}

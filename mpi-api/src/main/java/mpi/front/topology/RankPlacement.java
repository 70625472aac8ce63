package mpi.front.topology;

import java.util.Arrays;

/**
 * Chooses which process takes the place of which vertex of a communication graph, so that the edges between nodes weigh
 * little, then those between caches. It compares some placements and takes the best one; if none is better than leaving
 * each process where it is, it does that. Every rank finds the same.
 */
public final class RankPlacement {
    private final CommunicationGraph graph;
    /** From the outermost level: by process, its group. */
    private final int[][] groups;
    /** The processes, those of each group next to each other at every level. */
    private final int[] seats;
    private int[] best;
    private long[] bestCuts;

    /**
     * @param graph of at most as many vertices as there are processes; the first processes take part
     * @param levels as {@link mpi.spi.Communicator#levels} gives them
     */
    RankPlacement(CommunicationGraph graph, int[][] levels) {
        this.graph = graph;
        int n = graph.vertices();
        groups = new int[levels.length][];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = Arrays.copyOf(levels[levels.length - 1 - i], n);
        }
        best = identity(n);
        bestCuts = cuts(best);
        seats = identity(n);
        // By the innermost level first: the sort is stable, so the outermost level decides.
        for (int i = groups.length - 1; i >= 0; i--) {
            sortSeats(groups[i]);
        }
    }

    static int[] identity(int n) {
        int[] identity = new int[n];
        for (int i = 0; i < n; i++) {
            identity[i] = i;
        }
        return identity;
    }

    private void sortSeats(int[] groupOf) {
        long[] keys = new long[seats.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = (long) groupOf[seats[i]] << Integer.SIZE | i;
        }
        Arrays.sort(keys);
        int[] before = seats.clone();
        for (int i = 0; i < keys.length; i++) {
            seats[i] = before[(int) keys[i]];
        }
    }

    /** Whether something is known that divides the processes. */
    boolean divides() {
        return groups.length > 0 && seats.length > 0;
    }

    /** From the outermost level: the size of its groups, or 0 if they differ. */
    int[] groupSizes() {
        int[] sizes = new int[groups.length];
        for (int level = 0; level < sizes.length; level++) {
            sizes[level] = groupEnd(level, 0);
            for (int at = 0; at < seats.length; at = groupEnd(level, at)) {
                if (groupEnd(level, at) - at != sizes[level]) {
                    sizes[level] = 0;
                    break;
                }
            }
        }
        return sizes;
    }

    /** Where the group of a seat ends. */
    private int groupEnd(int level, int seat) {
        int end = seat + 1;
        while (end < seats.length && groups[level][seats[end]] == groups[level][seats[seat]]) {
            end++;
        }
        return end;
    }

    /** Gives the seats to the vertices in this order, if that is the best placement so far; null: does nothing. */
    void consider(int[] order) {
        if (order == null) {
            return;
        }
        int[] processOf = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            processOf[order[i]] = seats[i];
        }
        long[] cuts = cuts(processOf);
        if (Arrays.compare(cuts, bestCuts) < 0) {
            best = processOf;
            bestCuts = cuts;
        }
    }

    /** The weight between groups, from the outermost level. */
    private long[] cuts(int[] processOf) {
        long[] cuts = new long[groups.length];
        for (int level = 0; level < cuts.length; level++) {
            cuts[level] = graph.cut(processOf, groups[level]);
        }
        return cuts;
    }

    /** By vertex: the process that takes its place. */
    int[] best() {
        if (divides()) {
            int[] order = identity(seats.length);
            grow(order, 0, order.length, 0);
            consider(order);
        }
        return best;
    }

    /**
     * Orders vertices so that groups of seats get neighbours: each group takes, again and again, the vertex that
     * exchanges most with those it has. Of equals it takes the one that exchanges most with earlier groups, so that no
     * vertices are left over far from each other; of these the one whose neighbours came first, so that the group grows
     * in all directions. The same again within each group.
     */
    private void grow(int[] order, int from, int to, int level) {
        if (level == groups.length) {
            return;
        }
        int n = graph.vertices();
        long[] toEarlier = new long[n];
        for (int begin = from; begin < to;) {
            int end = Math.min(groupEnd(level, begin), to);
            long[] toGroup = new long[n];
            long[] toFirst = new long[n];
            long[][] weights = {toGroup, toEarlier, toFirst};
            for (int i = begin; i < end; i++) {
                int chosen = i;
                for (int j = i + 1; j < to; j++) {
                    chosen = isMore(order[j], order[chosen], weights) ? j : chosen;
                }
                int vertex = order[chosen];
                System.arraycopy(order, i, order, i + 1, chosen - i);
                order[i] = vertex;
                graph.addWeights(vertex, 1, toGroup);
                graph.addWeights(vertex, end - i, toFirst);
            }
            for (int i = begin; i < end; i++) {
                graph.addWeights(order[i], 1, toEarlier);
            }
            grow(order, begin, end, level + 1);
            begin = end;
        }
    }

    /** Compares two vertices by the first of these weights in which they differ. */
    private static boolean isMore(int vertex, int other, long[][] weights) {
        for (long[] weight : weights) {
            if (weight[vertex] != weight[other]) {
                return weight[vertex] > weight[other];
            }
        }
        return false;
    }
}

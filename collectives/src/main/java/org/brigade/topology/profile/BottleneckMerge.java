package org.brigade.topology.profile;

import java.util.List;

/**
 * Joins chains through single nodes into one through all nodes, as fast as possible. A chain is as fast as its slowest
 * part.
 *
 * <p>
 * Source: Kim, Ryu, Lee, "TCCL: discovering better communication paths for PCIe GPU clusters", 2024, Methods, where the
 * minimum is missing: {@code D[0][h][t] = T0[h][t];
 * D[n][h][t] = max over x of min(D[n-1][h][x], Tn[x][t])}, and the best ring is {@code max over x of D[N-1][x][x]}.
 * Time: for N nodes and X crossings N X^3. Of equal ones it takes the first x.
 */
final class BottleneckMerge {
    /**
     * The result.
     *
     * @param bandwidth bytes/s of the slowest node
     * @param crossings [n]: index of the crossing into node n; the last entry leads out of the last node, in a ring
     * into the first
     */
    record Result(double bandwidth, int[] crossings) {
    }

    private BottleneckMerge() {
    }

    /**
     * The best ring of nodes.
     *
     * @param tables for each node [crossing in][crossing out]: bytes/s, 0 if there is no path
     * @return null if there is no path
     */
    static Result ring(List<double[][]> tables) {
        short[][][] choices = new short[tables.size()][][];
        double[][] merged = merge(tables, choices);
        int best = -1;
        for (int x = 0; x < merged.length; x++) {
            if (merged[x][x] > (best < 0 ? 0 : merged[best][best])) {
                best = x;
            }
        }
        return best < 0 ? null : result(merged[best][best], choices, best, best);
    }

    /**
     * The best chain of nodes. The rows of the first table are beginnings instead of crossings in, the columns of the
     * last table are ends instead of crossings out.
     *
     * @return null if there is no path
     */
    static Result chain(List<double[][]> tables) {
        short[][][] choices = new short[tables.size()][][];
        double[][] merged = merge(tables, choices);
        int head = -1;
        int tail = -1;
        for (int h = 0; h < merged.length; h++) {
            for (int t = 0; t < merged[h].length; t++) {
                if (merged[h][t] > (head < 0 ? 0 : merged[head][tail])) {
                    head = h;
                    tail = t;
                }
            }
        }
        return head < 0 ? null : result(merged[head][tail], choices, head, tail);
    }

    private static double[][] merge(List<double[][]> tables, short[][][] choices) {
        double[][] merged = tables.get(0);
        for (int n = 1; n < tables.size(); n++) {
            double[][] table = tables.get(n);
            int columns = table[0].length;
            double[][] longer = new double[merged.length][columns];
            choices[n] = new short[merged.length][columns];
            for (int h = 0; h < merged.length; h++) {
                if (merged[h].length != table.length) {
                    throw new IllegalArgumentException(
                        "node " + (n - 1) + " has " + merged[h].length + " crossings out and node "
                            + n + " has " + table.length + " in; they must be the same");
                }
                for (int x = 0; x < table.length; x++) {
                    double before = merged[h][x];
                    for (int t = 0; before > 0 && t < columns; t++) {
                        double bandwidth = Math.min(before, table[x][t]);
                        if (bandwidth > longer[h][t]) {
                            longer[h][t] = bandwidth;
                            choices[n][h][t] = (short) x;
                        }
                    }
                }
            }
            merged = longer;
        }
        return merged;
    }

    private static Result result(double bandwidth, short[][][] choices, int head, int tail) {
        int[] crossings = new int[choices.length + 1];
        crossings[0] = head;
        crossings[choices.length] = tail;
        for (int n = choices.length - 1; n > 0; n--) {
            crossings[n] = choices[n][head][crossings[n + 1]] & 0xffff;
        }
        return new Result(bandwidth, crossings);
    }
}

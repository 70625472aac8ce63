package org.brigade.bootstrap;

import java.util.Arrays;

/**
 * Which ranks of a job are on which node: any mapping. Nodes are numbered from 0 on, in the order of their lowest
 * ranks, so all ranks number them alike. Immutable.
 */
public final class Nodes {
    private final int rank;
    private final int[] nodeOf;
    private final int count;
    private final int[] here;

    private Nodes(int rank, int[] nodeOf, int count, int[] here) {
        this.rank = rank;
        this.nodeOf = nodeOf;
        this.count = count;
        this.here = here;
    }

    /**
     * The nodes as seen by a rank.
     *
     * @param lowest by rank: the lowest rank of its node
     * @throws IllegalArgumentException if a rank names one that names another
     */
    public static Nodes of(int rank, int[] lowest) {
        int[] nodeOf = new int[lowest.length];
        int count = 0;
        int ours = 0;
        for (int i = 0; i < lowest.length; i++) {
            int first = lowest[i];
            if (first < 0 || first > i || lowest[first] != first) {
                throw new IllegalArgumentException(
                    "rank " + i + " names rank " + first + " as the lowest rank of its node, but it is not");
            }
            nodeOf[i] = first == i ? count++ : nodeOf[first];
            ours += first == lowest[rank] ? 1 : 0;
        }
        int[] here = new int[ours];
        for (int i = 0, n = 0; i < lowest.length; i++) {
            if (lowest[i] == lowest[rank]) {
                here[n++] = i;
            }
        }
        return new Nodes(rank, nodeOf, count, here);
    }

    /** Number of nodes. */
    public int count() {
        return count;
    }

    public int ranks() {
        return nodeOf.length;
    }

    /** The node of this rank. */
    public int own() {
        return nodeOf[rank];
    }

    /** The node of a rank. */
    public int of(int other) {
        return nodeOf[other];
    }

    /** Whether a rank is on this rank's node. */
    public boolean isHere(int other) {
        return nodeOf[other] == nodeOf[rank];
    }

    /** The ranks of this node, ascending, this rank among them. */
    public int[] here() {
        return here.clone();
    }

    /** The nodes of some ranks, in their order. */
    public int[] of(int[] members) {
        int[] theirs = new int[members.length];
        for (int i = 0; i < theirs.length; i++) {
            theirs[i] = nodeOf[members[i]];
        }
        return theirs;
    }

    /** Of some ranks, the first on each node: their places among them, ascending. */
    public int[] firsts(int[] members) {
        int[] firsts = new int[Math.min(members.length, count)];
        boolean[] seen = new boolean[count];
        int found = 0;
        for (int i = 0; i < members.length; i++) {
            int node = nodeOf[members[i]];
            if (!seen[node]) {
                seen[node] = true;
                firsts[found++] = i;
            }
        }
        return Arrays.copyOf(firsts, found);
    }

    /** On how many nodes some ranks are. */
    public int spannedBy(int[] members) {
        boolean[] seen = new boolean[count];
        int spanned = 0;
        for (int member : members) {
            spanned += seen[nodeOf[member]] ? 0 : 1;
            seen[nodeOf[member]] = true;
        }
        return spanned;
    }

    /** By rank: {@code [0, 1, 0, 2]}. */
    @Override
    public String toString() {
        return Arrays.toString(nodeOf);
    }
}

package org.brigade.algorithm;

import org.brigade.pattern.Hierarchy;
import org.brigade.pattern.LeaderTree;
import org.brigade.schedule.Geometry;

/**
 * How a hierarchical algorithm uses a communicator's levels: how many ranks lead each group, and what joins the members
 * of a group.
 */
public enum Leaders {
    /** One leader a group; the members are a chain. Highest bandwidth. */
    ONE("hierarchical"),
    /**
     * As many leaders as the radix says, but no more than the smallest outermost group has ranks. Each leader has a
     * slice of the vector, so a node's adapters and memories share the work. The members are chains.
     */
    SEVERAL("multi-leader"),
    /** One leader a group; the members are a k-nomial tree. Fewest rounds. */
    ONE_OF_TREES("hierarchical-tree");

    /** The name of the algorithms with these leaders. */
    public final String algorithm;

    Leaders(String algorithm) {
        this.algorithm = algorithm;
    }

    public boolean radixed() {
        return this != ONE;
    }

    /** Slices that a vector is cut into: one for each leader of a group. */
    public int slices(Geometry geometry) {
        return this == SEVERAL ? Math.min(geometry.radix(), hierarchy(geometry).fewest()) : 1;
    }

    /**
     * The trees of all slices from the root to all ranks, in the order in which they pass this rank: slices from near
     * come first. Neighbours agree on that order, so no rank waits for a distant slice while a near one is ready.
     */
    public LeaderTree[] from(Geometry geometry) {
        Hierarchy hierarchy = hierarchy(geometry);
        LeaderTree[] trees = new LeaderTree[slices(geometry)];
        for (int slice = 0; slice < trees.length; slice++) {
            trees[slice] = new LeaderTree(hierarchy, hierarchy.places().position(geometry.root()), slice, true,
                branching(geometry), ways(trees.length));
        }
        return nearestFirst(trees, geometry.rank());
    }

    /** The trees of all slices from one of their leaders to all ranks, in the same order. */
    public LeaderTree[] among(Geometry geometry) {
        Hierarchy hierarchy = hierarchy(geometry);
        LeaderTree[] trees = new LeaderTree[slices(geometry)];
        for (int slice = 0; slice < trees.length; slice++) {
            trees[slice] = new LeaderTree(hierarchy, hierarchy.leader(hierarchy.depth(), 0, slice, -1), slice, false,
                branching(geometry), ways(trees.length));
        }
        return nearestFirst(trees, geometry.rank());
    }

    private static LeaderTree[] nearestFirst(LeaderTree[] trees, int rank) {
        int[] depths = new int[trees.length];
        for (int i = 0; i < trees.length && trees.length > 1; i++) {
            LeaderTree tree = trees[i];
            int depth = tree.depth(rank);
            int at = i;
            while (at > 0 && depths[at - 1] > depth) {
                trees[at] = trees[at - 1];
                depths[at] = depths[at - 1];
                at--;
            }
            trees[at] = tree;
            depths[at] = depth;
        }
        return trees;
    }

    private int branching(Geometry geometry) {
        return this == ONE_OF_TREES ? geometry.radix() : 0;
    }

    /** Stages of one direction: one for each level, two where slices go both ways. */
    public int stages(Geometry geometry) {
        return ways(slices(geometry)) * hierarchy(geometry).depth();
    }

    private static int ways(int slices) {
        return slices > 1 ? 2 : 1;
    }

    /**
     * The stage that the message over an edge belongs to.
     *
     * @param up whether it goes towards the root
     */
    public static int stage(LeaderTree tree, LeaderTree.Edge edge, boolean up) {
        return tree.ways() * (edge.level() - 1) + (tree.ways() == 2 && edge.back() != up ? 1 : 0);
    }

    private static Hierarchy hierarchy(Geometry geometry) {
        return geometry.wires().hierarchy(geometry.ranks());
    }
}

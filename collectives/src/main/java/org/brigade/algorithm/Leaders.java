package org.brigade.algorithm;

import org.brigade.pattern.Hierarchy;
import org.brigade.pattern.LeaderTree;
import org.brigade.schedule.Geometry;

/** How a hierarchical algorithm goes through a communicator's levels: how many ranks lead each group, and what joins the members of a group. */
public enum Leaders {
    /** One leader a group; its members are a chain: most bytes a second. */
    ONE("hierarchical"),
    /** As many leaders as the radix says, and as the smallest group of the outermost level has ranks. Each has a slice of the vector, so that a node's adapters and memories share the work; chains. */
    SEVERAL("multi-leader"),
    /** One leader a group; its members are a k-nomial tree: fewest rounds. */
    ONE_OF_TREES("hierarchical-tree");

    /** The name of the algorithms that go this way. */
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

    /** The way of a slice from a root to all ranks, or from all to the root. */
    public LeaderTree from(Geometry geometry, int slice) {
        Hierarchy hierarchy = hierarchy(geometry);
        return new LeaderTree(hierarchy, hierarchy.places().position(geometry.root()), slice, true, branching(geometry));
    }

    /** The way of a slice from all ranks to one of its leaders, and back. */
    public LeaderTree among(Geometry geometry, int slice) {
        Hierarchy hierarchy = hierarchy(geometry);
        return new LeaderTree(hierarchy, hierarchy.leader(hierarchy.depth(), 0, slice, -1), slice, false, branching(geometry));
    }

    private int branching(Geometry geometry) {
        return this == ONE_OF_TREES ? geometry.radix() : 0;
    }

    /** Levels of groups, the group of all ranks being the last. */
    public static int depth(Geometry geometry) {
        return hierarchy(geometry).depth();
    }

    /** Whether messages of one direction between two ranks may be on their way up the tree of one slice and down that of another. */
    public boolean mixesDirections(Geometry geometry) {
        return slices(geometry) > 1 && hierarchy(geometry).hasPairs();
    }

    private static Hierarchy hierarchy(Geometry geometry) {
        return geometry.wires().hierarchy(geometry.ranks());
    }
}

package org.brigade.pattern;

import java.util.Arrays;

/**
 * The outermost groups of a {@link Hierarchy}, each with one leader. Within a group the ranks are a tree below the
 * leader; between groups only the leaders communicate, numbered as their groups. Without levels every rank is a group.
 */
public final class LeaderGroups {
    private final Hierarchy hierarchy;
    private final LeaderTree tree;
    /** The level of the edges between leaders, and of the groups below it. */
    private final int depth;

    /** @param radix branching of the trees within groups */
    public LeaderGroups(Hierarchy hierarchy, int radix) {
        this.hierarchy = hierarchy;
        depth = hierarchy.depth();
        tree = new LeaderTree(hierarchy, hierarchy.leader(depth, 0, 0, -1), 0, false, radix, 1);
    }

    /** Number of groups. */
    public int count() {
        return hierarchy.members(depth, 0);
    }

    /** The number of a rank's group. */
    public int group(int rank) {
        return hierarchy.group(depth - 1, hierarchy.places().position(rank));
    }

    /** The rank that leads a group. */
    public int leader(int group) {
        return hierarchy.places().rank(hierarchy.leader(depth - 1, group, 0, -1));
    }

    /** The rank above this one within its group; null if this is its leader. */
    public LeaderTree.Edge parent(int rank) {
        LeaderTree.Edge parent = tree.parent(rank);
        return parent == null || parent.level() == depth ? null : parent;
    }

    /** The ranks below this one within its group, the farthest first. */
    public LeaderTree.Edge[] children(int rank) {
        LeaderTree.Edge[] children = tree.children(rank);
        int between = 0;
        while (between < children.length && children[between].level() == depth) {
            between++;
        }
        return between == 0 ? children : Arrays.copyOfRange(children, between, children.length);
    }
}

package org.brigade.pattern;

import java.util.Arrays;

/**
 * The way of one slice of a vector through a {@link Hierarchy}: a tree over all ranks in which each group's members are joined by a chain, or by a k-nomial tree, of their leaders. The slice
 * enters a group by its leader (the root's own groups by the root), goes from there to all its members, and leaves for the next groups from the leader.
 *
 * @param root    place of the rank where the tree begins
 * @param slice   number of the slice: others have other leaders
 * @param spread  whether the root's own groups too are led by another rank for every slice; else the root leads them
 * @param radix   branching of the k-nomial trees; 0 for chains
 */
public record LeaderTree(Hierarchy hierarchy, int root, int slice, boolean spread, int radix) {
    /** A neighbour in the tree: its rank, and the level of the group whose members the edge joins. */
    public record Edge(int rank, int level) {
    }

    /** Who hands the slice to this rank; null for the root. */
    public Edge parent(int rank) {
        int place = hierarchy.places().position(rank);
        if (place == root) {
            return null;
        }
        int level = 1;
        while (entry(level, hierarchy.group(level, place)) == place) {
            level++;
        }
        int group = hierarchy.group(level, place);
        int at = index(level, group, hierarchy.group(level - 1, place));
        int before = radix == 0 ? at - 1 : new KnomialTree(hierarchy.members(level, group), radix).parent(at);
        return new Edge(hierarchy.places().rank(leader(level - 1, member(level, group, before))), level);
    }

    /** To whom this rank hands it on: to the farthest first. */
    public Edge[] children(int rank) {
        int place = hierarchy.places().position(rank);
        Edge[] children = new Edge[4];
        int count = 0;
        for (int level = hierarchy.depth(); level >= 1; level--) {
            int member = hierarchy.group(level - 1, place);
            if (leader(level - 1, member) != place) {
                continue;
            }
            int group = hierarchy.group(level, place);
            for (int next : after(index(level, group, member), hierarchy.members(level, group))) {
                if (count == children.length) {
                    children = Arrays.copyOf(children, 2 * count);
                }
                children[count++] = new Edge(hierarchy.places().rank(entry(level - 1, member(level, group, next))), level);
            }
        }
        return Arrays.copyOf(children, count);
    }

    private int[] after(int index, int members) {
        if (radix > 0) {
            return new KnomialTree(members, radix).children(index);
        }
        return index + 1 < members ? new int[] {index + 1} : new int[0];
    }

    /** Where the slice comes into a group. */
    private int entry(int level, int group) {
        return hierarchy.group(level, root) == group ? root : leader(level, group);
    }

    private int leader(int level, int group) {
        if (hierarchy.group(level, root) != group) {
            return hierarchy.leader(level, group, slice, -1);
        }
        return spread ? hierarchy.leader(level, group, slice, root) : root;
    }

    /** How many members a member comes behind the one where the slice enters the group. */
    private int index(int level, int group, int member) {
        return Math.floorMod(member - hierarchy.group(level - 1, entry(level, group)), hierarchy.members(level, group));
    }

    private int member(int level, int group, int index) {
        int first = hierarchy.first(level, group);
        int entered = hierarchy.group(level - 1, entry(level, group));
        return first + (entered - first + index) % hierarchy.members(level, group);
    }
}

package org.brigade.pattern;

import java.util.Arrays;

/**
 * The path of one slice of a vector through a {@link Hierarchy}: a tree over all ranks in which a chain or a k-nomial
 * tree of leaders joins each group's members. The slice enters a group at its leader (the root's own groups at the
 * root), goes from there to all members, and leaves for other groups from the leader.
 *
 * @param root place of the rank where the tree begins
 * @param slice number of the slice: each has other leaders
 * @param spread whether each slice has another leader in the root's own groups too; else the root leads them
 * @param radix branching of the k-nomial trees; 0 for chains
 * @param ways 2: chains go both ways from the member where the slice enters to the ends of the group, except in the
 * root's own groups if these are {@code spread}; otherwise slices that enter by other members wait for each other in a
 * cycle, and only one window moves per trip. 1: one way, around the end
 */
public record LeaderTree(Hierarchy hierarchy, int root, int slice, boolean spread, int radix, int ways) {
    /**
     * A neighbour in the tree.
     *
     * @param level of the group whose members the edge joins
     * @param back whether the edge, away from the root, leads to a member with a lower number
     */
    public record Edge(int rank, int level, boolean back) {
    }

    /** The rank from which this rank receives the slice; null for the root. */
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
        int member = hierarchy.group(level - 1, place);
        int before = before(level, group, member);
        return new Edge(hierarchy.places().rank(leader(level - 1, before)), level, member < before);
    }

    /** The ranks to which this rank sends the slice, the farthest first. */
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
            for (int next : after(level, group, member)) {
                if (count == children.length) {
                    children = Arrays.copyOf(children, 2 * count);
                }
                children[count++] = new Edge(hierarchy.places().rank(entry(level - 1, next)), level, next < member);
            }
        }
        return Arrays.copyOf(children, count);
    }

    /** Number of hops from the root to this rank; for chains only. */
    public int depth(int rank) {
        return depth(hierarchy.depth(), hierarchy.places().position(rank));
    }

    /** Number of hops from where the slice enters the place's group of a level. */
    private int depth(int level, int place) {
        int depth = 0;
        for (int l = level; l >= 1; l--) {
            int group = hierarchy.group(l, place);
            int at = index(l, group, hierarchy.group(l - 1, place));
            if (at > 0) {
                // It leaves the first member from that member's leader, which in the root's groups is another rank than
                // the one at
                // which it enters.
                int leaves = leader(l - 1, member(l, group, 0));
                depth += at + depth(l - 1, leaves);
            }
        }
        return depth;
    }

    private boolean bothWays(int level, int group) {
        return ways == 2 && !(spread && hierarchy.group(level, root) == group);
    }

    private int before(int level, int group, int member) {
        if (bothWays(level, group)) {
            return member > entered(level, group) ? member - 1 : member + 1;
        }
        int at = index(level, group, member);
        return member(level, group,
            radix == 0 ? at - 1 : new KnomialTree(hierarchy.members(level, group), radix).parent(at));
    }

    private int[] after(int level, int group, int member) {
        int first = hierarchy.first(level, group);
        int members = hierarchy.members(level, group);
        if (bothWays(level, group)) {
            int entered = entered(level, group);
            boolean up = member >= entered && member + 1 < first + members;
            boolean down = member <= entered && member > first;
            return up && down ? new int[] {member + 1, member - 1}
                : up ? new int[] {member + 1} : down ? new int[] {member - 1} : new int[0];
        }
        int at = index(level, group, member);
        int[] after = radix > 0 ? new KnomialTree(members, radix).children(at)
            : at + 1 < members ? new int[] {at + 1} : new int[0];
        for (int i = 0; i < after.length; i++) {
            after[i] = member(level, group, after[i]);
        }
        return after;
    }

    /** The place where the slice enters a group. */
    private int entry(int level, int group) {
        return hierarchy.group(level, root) == group ? root : leader(level, group);
    }

    private int leader(int level, int group) {
        if (hierarchy.group(level, root) != group) {
            return hierarchy.leader(level, group, slice, -1);
        }
        return spread ? hierarchy.leader(level, group, slice, root) : root;
    }

    /** The member at which the slice enters a group. */
    private int entered(int level, int group) {
        return hierarchy.group(level - 1, entry(level, group));
    }

    /** Distance from the entered member to a member. */
    private int index(int level, int group, int member) {
        int behind = member - entered(level, group);
        return bothWays(level, group) ? Math.abs(behind) : Math.floorMod(behind, hierarchy.members(level, group));
    }

    private int member(int level, int group, int index) {
        int first = hierarchy.first(level, group);
        return first + (entered(level, group) - first + index) % hierarchy.members(level, group);
    }
}

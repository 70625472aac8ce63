package org.brigade.pattern;

import java.util.Arrays;

/**
 * The hierarchy of a communicator's ranks, innermost level first: ranks that share a cache, a NUMA node, a node. Each
 * level divides all ranks into groups of any sizes and any ranks; ranks of one group share a group at all outer levels,
 * too. Immutable.
 *
 * @param groupOf by level, then by rank: a number that the ranks of a group share. It is copied, and groups are
 * numbered anew: from 0 on, in the order of their lowest ranks. Read only
 */
public record Levels(int[][] groupOf) {
    /** No level: all ranks are equal. */
    public static final Levels NONE = new Levels(new int[0][]);

    /**
     * @throws IllegalArgumentException if a group is not within one group of the next level, or levels differ in their
     * ranks
     */
    public Levels {
        int[][] numbered = new int[groupOf.length][];
        for (int level = 0; level < groupOf.length; level++) {
            if (groupOf[level].length != groupOf[0].length) {
                throw new IllegalArgumentException(
                    "level " + level + " has " + groupOf[level].length + " ranks, level 0 has " + groupOf[0].length);
            }
            numbered[level] = numbered(groupOf[level]);
        }
        for (int level = 1; level < numbered.length; level++) {
            requireNested(numbered[level - 1], numbered[level], level);
        }
        groupOf = numbered;
    }

    /**
     * The levels that divide the ranks in a new way: not one group of all, not every rank alone, not the same groups as
     * the level before.
     */
    public static Levels dividing(int[]... groupOf) {
        int[][] kept = new int[groupOf.length][];
        int count = 0;
        for (int[] groups : groupOf) {
            int[] level = numbered(groups);
            int most = 0;
            for (int group : level) {
                most = Math.max(most, group);
            }
            if (most > 0 && most < level.length - 1 && (count == 0 || !Arrays.equals(level, kept[count - 1]))) {
                kept[count++] = level;
            }
        }
        return count == 0 ? NONE : new Levels(Arrays.copyOf(kept, count));
    }

    /** Numbers groups in the order of their lowest ranks. */
    private static int[] numbered(int[] groups) {
        int[] distinct = groups.clone();
        Arrays.sort(distinct);
        int count = 0;
        for (int i = 0; i < distinct.length; i++) {
            if (i == 0 || distinct[i] != distinct[count - 1]) {
                distinct[count++] = distinct[i];
            }
        }
        int[] number = new int[count];
        Arrays.fill(number, -1);
        int[] result = new int[groups.length];
        int next = 0;
        for (int rank = 0; rank < groups.length; rank++) {
            int at = Arrays.binarySearch(distinct, 0, count, groups[rank]);
            if (number[at] < 0) {
                number[at] = next++;
            }
            result[rank] = number[at];
        }
        return result;
    }

    private static void requireNested(int[] inner, int[] outer, int level) {
        int[] outerOf = new int[inner.length];
        int[] first = new int[inner.length];
        Arrays.fill(outerOf, -1);
        for (int rank = 0; rank < inner.length; rank++) {
            int group = inner[rank];
            if (outerOf[group] < 0) {
                outerOf[group] = outer[rank];
                first[group] = rank;
            } else if (outerOf[group] != outer[rank]) {
                throw new IllegalArgumentException("ranks " + first[group] + " and " + rank + " share a group at level "
                    + (level - 1) + " but not at level " + level
                    + "; give levels from the inside out, each group within one group of the next level");
            }
        }
    }

    /** Number of levels. */
    public int count() {
        return groupOf.length;
    }

    public int group(int level, int rank) {
        return groupOf[level][rank];
    }

    /** Number of groups of a level. */
    public int groups(int level) {
        int most = -1;
        for (int group : groupOf[level]) {
            most = Math.max(most, group);
        }
        return most + 1;
    }

    /** Whether some level has more than one group, one of them with more than one rank. */
    public boolean divide() {
        for (int level = 0; level < groupOf.length; level++) {
            int groups = groups(level);
            if (groups > 1 && groups < groupOf[level].length) {
                return true;
            }
        }
        return false;
    }

    /** The order that visits one group after another; null if that is rank order. */
    public Order order(int ranks) {
        Order places = new Hierarchy(Order.identity(ranks), this).places();
        return places.isIdentity() ? null : places;
    }

    /** The levels of some of the ranks, renumbered by their positions in {@code members}. */
    public Levels of(int[] members) {
        int[][] theirs = new int[groupOf.length][members.length];
        for (int level = 0; level < groupOf.length; level++) {
            for (int i = 0; i < members.length; i++) {
                theirs[level][i] = groupOf[level][members[i]];
            }
        }
        return new Levels(theirs);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Levels levels && Arrays.deepEquals(groupOf, levels.groupOf);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(groupOf);
    }

    @Override
    public String toString() {
        return Arrays.deepToString(groupOf);
    }
}

package org.brigade.pattern;

import java.util.Arrays;

/**
 * {@link Levels} as a tree of groups. Places number the ranks so that every group is a run of places; groups, and the
 * groups and ranks within each, are sorted by their first ranks in an order. A group of level 0 is one rank; a group of
 * level l consists of groups of level l - 1; level {@link #depth} has one group of all ranks.
 */
public final class Hierarchy {
    private final Order places;
    /**
     * By level from 1 on, then by group: the number of its first member, a group of the level below; one more entry at
     * the end.
     */
    private final int[][] first;
    /** By level, then by place: the number of the group. Null for level 0 and the last level, which need no table. */
    private final int[][] groupAt;
    /** By level: for how many successive slices a group keeps its leading member. */
    private final int[] stride;
    private final int fewest;

    Hierarchy(Order order, Levels levels) {
        int ranks = order.ranks();
        int[] sequence = order.toArray();
        for (int level = 0; level < levels.count(); level++) {
            sequence = sorted(sequence, order, levels, level);
        }
        places = Order.of(sequence);
        int depth = levels.count() + 1;
        first = new int[depth + 1][];
        groupAt = new int[depth + 1][];
        for (int level = 1; level <= depth; level++) {
            int[] group = new int[ranks];
            int[] starts = new int[ranks + 1];
            int groups = 0;
            int members = 0;
            for (int place = 0; place < ranks; place++) {
                boolean opens = place == 0 || level < depth
                    && levels.group(level - 1, sequence[place]) != levels.group(level - 1, sequence[place - 1]);
                if (opens) {
                    starts[groups++] = members;
                }
                if (opens || group(level - 1, place) != group(level - 1, place - 1)) {
                    members++;
                }
                group[place] = groups - 1;
            }
            starts[groups] = members;
            first[level] = Arrays.copyOf(starts, groups + 1);
            groupAt[level] = level < depth ? group : null;
        }
        stride = strides(depth);
        fewest = countFewest();
    }

    /** Sorts stably by the groups of a level, which are in the order of their first ranks. */
    private static int[] sorted(int[] sequence, Order order, Levels levels, int level) {
        int[] number = new int[levels.groups(level)];
        Arrays.fill(number, -1);
        int groups = 0;
        int[] start = new int[number.length + 1];
        for (int position = 0; position < sequence.length; position++) {
            int group = levels.group(level, order.rank(position));
            if (number[group] < 0) {
                number[group] = groups++;
            }
            start[number[group] + 1]++;
        }
        for (int group = 0; group < groups; group++) {
            start[group + 1] += start[group];
        }
        int[] result = new int[sequence.length];
        for (int rank : sequence) {
            result[start[number[levels.group(level, rank)]]++] = rank;
        }
        return result;
    }

    private int[] strides(int depth) {
        int[] strides = new int[depth + 1];
        strides[depth] = 1;
        for (int level = depth - 1; level >= 1; level--) {
            // The outermost groups' leaders are spread first, so that few slices already use members far apart.
            strides[level] = level == depth - 1 ? 1 : strides[level + 1] * most(level + 1);
        }
        return strides;
    }

    /** The most members that a group of a level has. */
    public int most(int level) {
        int most = 1;
        for (int group = 0; group + 1 < first[level].length; group++) {
            most = Math.max(most, members(level, group));
        }
        return most;
    }

    /** The mapping between ranks and places. */
    public Order places() {
        return places;
    }

    /** The level at which all ranks are one group: 1 if there is no other level. */
    public int depth() {
        return first.length - 1;
    }

    /** The number of the group that a place belongs to. */
    public int group(int level, int place) {
        return level == 0 ? place : level == depth() ? 0 : groupAt[level][place];
    }

    /** The first member of a group, a group of the level below; its other members follow. */
    public int first(int level, int group) {
        return first[level][group];
    }

    /** Number of members of a group: groups of the level below. */
    public int members(int level, int group) {
        return first[level][group + 1] - first[level][group];
    }

    /**
     * The size of the smallest group of the outermost level, all ranks if there is none: each group can have this many
     * leaders.
     */
    public int fewest() {
        return fewest;
    }

    private int countFewest() {
        int outermost = depth() - 1;
        if (outermost == 0) {
            return places.ranks();
        }
        int[] size = new int[first[outermost].length - 1];
        for (int place = 0; place < places.ranks(); place++) {
            size[group(outermost, place)]++;
        }
        int least = places.ranks();
        for (int each : size) {
            least = Math.min(least, each);
        }
        return least;
    }

    /** The most hops from a leader to the last rank if every group's members are a chain. */
    public int chainHops() {
        int hops = 0;
        for (int level = 1; level <= depth(); level++) {
            hops += most(level) - 1;
        }
        return hops;
    }

    /**
     * The place of the rank that leads a group for a slice. For that slice it also leads all smaller groups that it is
     * in. Leaders differ for as many slices as possible.
     *
     * @param lead a place, or -1: its groups count their slices from its member on, so that it leads them for slice 0
     */
    public int leader(int level, int group, int slice, int lead) {
        if (level == 0) {
            return group;
        }
        int members = members(level, group);
        int shift = lead >= 0 && group(level, lead) == group ? group(level - 1, lead) - first(level, group) : 0;
        return leader(level - 1, first(level, group) + (shift + slice / stride[level]) % members, slice, lead);
    }
}

package org.brigade.topology.place;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The hierarchy that places of ranks make, as hierarchical algorithms want it: groups within groups, innermost level first. Ranks of which a level is not known are one group
 * there with their like in the group around. Levels that say nothing are left out: where all ranks are one group, where each is alone, and those that divide as another does.
 */
public final class PlaceLevels {
    private PlaceLevels() {
    }

    /**
     * @param places by rank; the same on all ranks
     * @return by level, then by rank: the number of its group, from 0 in the order of the groups' lowest ranks
     */
    public static int[][] groups(List<RankPlace> places) {
        int ranks = places.size();
        int[] around = new int[ranks];
        Deque<int[]> levels = new ArrayDeque<>();
        for (int depth = 0; depth < 4; depth++) {
            int[] groups = divided(around, places, depth);
            int count = Arrays.stream(groups).max().orElse(-1) + 1;
            if (count > 1 && count < ranks && !Arrays.equals(groups, around)) {
                levels.addFirst(groups);
            }
            around = groups;
        }
        return levels.toArray(new int[0][]);
    }

    private static int[] divided(int[] around, List<RankPlace> places, int depth) {
        Map<Long, Integer> numbers = new HashMap<>();
        int[] groups = new int[around.length];
        for (int rank = 0; rank < groups.length; rank++) {
            RankPlace place = places.get(rank);
            int number = switch (depth) {
                case 0 -> place.network();
                case 1 -> place.node();
                case 2 -> place.cpu();
                default -> place.near();
            };
            Integer known = numbers.putIfAbsent((long) around[rank] << 32 | number & 0xffffffffL, numbers.size());
            groups[rank] = known == null ? numbers.size() - 1 : known;
        }
        return groups;
    }
}

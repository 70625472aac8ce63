package org.brigade.matching;

import java.util.Arrays;

/**
 * Maps ranks of the job to ranks of a communicator. Takes no memory for the first ranks of the job in their order, and
 * none beside the members' for other ascending members. Immutable.
 */
final class RankIndex {
    private final int count;
    /** Members as ranks of the job, ascending; null if they are the first ones of the job. */
    private final int[] worlds;
    /** The communicator's rank of each of those; null if equal to the position. */
    private final int[] ranks;

    private RankIndex(int count, int[] worlds, int[] ranks) {
        this.count = count;
        this.worlds = worlds;
        this.ranks = ranks;
    }

    /** @param members as ranks of the job, which are not copied */
    static RankIndex of(int[] members) {
        boolean first = true;
        boolean ascending = true;
        for (int i = 0; i < members.length; i++) {
            first &= members[i] == i;
            ascending &= i == 0 || members[i] > members[i - 1];
        }
        if (first || ascending) {
            return new RankIndex(members.length, first ? null : members, null);
        }
        long[] both = new long[members.length];
        for (int rank = 0; rank < both.length; rank++) {
            both[rank] = (long) members[rank] << Integer.SIZE | rank;
        }
        Arrays.sort(both);
        int[] worlds = new int[both.length];
        int[] ranks = new int[both.length];
        for (int i = 0; i < both.length; i++) {
            worlds[i] = (int) (both[i] >>> Integer.SIZE);
            ranks[i] = (int) both[i];
        }
        return new RankIndex(both.length, worlds, ranks);
    }

    /** The rank in the communicator; -1 if that rank of the job is not a member. */
    int of(int world) {
        if (worlds == null) {
            return world < count ? world : -1;
        }
        int place = Arrays.binarySearch(worlds, world);
        return place < 0 ? -1 : ranks == null ? place : ranks[place];
    }
}

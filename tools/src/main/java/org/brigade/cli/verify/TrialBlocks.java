package org.brigade.cli.verify;

import java.util.Arrays;
import org.brigade.algorithm.Placement;

/**
 * How many items each rank's block has in a {@link Trial}, and where blocks begin.
 *
 * @param count items of a block; of uneven blocks, about
 */
record TrialBlocks(int ranks, int count) {
    private static final int ROUND_COUNTS = 100;

    int[] even() {
        int[] counts = new int[ranks];
        Arrays.fill(counts, count);
        return counts;
    }

    /** Some are 0. Of round counts, all are round: some algorithms want blocks at multiples of 16 bytes. */
    int[] uneven() {
        int[] counts = new int[ranks];
        for (int i = 0; i < ranks; i++) {
            counts[i] = count == 0 ? 0 : (count + 2 * i) % (count + 3);
            if (count >= ROUND_COUNTS && count % 4 == 0) {
                counts[i] = counts[i] / Placement.ALIGNMENT * Placement.ALIGNMENT;
            }
        }
        return counts;
    }

    /** Items that one rank sends to each in an alltoallv. */
    int[] toEach(int from) {
        int[] counts = new int[ranks];
        for (int peer = 0; peer < ranks; peer++) {
            counts[peer] = between(from, peer);
        }
        return counts;
    }

    /** Items that one rank sends to another in an alltoallv. */
    int between(int from, int to) {
        return count == 0 ? 0 : (count + 3 * from + to) % (count + 2);
    }

    /** Where blocks with {@code gap} items behind each begin, and behind the last where they end. */
    static int[] places(int[] counts, int gap) {
        int[] places = new int[counts.length + 1];
        for (int i = 0; i < counts.length; i++) {
            places[i + 1] = places[i] + counts[i] + gap;
        }
        return places;
    }
}

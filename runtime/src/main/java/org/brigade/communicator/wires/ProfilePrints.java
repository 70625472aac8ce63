package org.brigade.communicator.wires;

/**
 * Summarises the topology profiles of a communicator's ranks: the least and the greatest print
 * ({@link TopologyProfile#print}), and the ranks that have them. Each rank contributes three words; the greatest of
 * each word over all ranks give the summary.
 *
 * @param leastRank the lowest rank with the least print
 * @param mostRank the highest rank with the greatest print
 * @param found whether no rank was told which profile to use: each found one by itself, or none
 */
record ProfilePrints(long least, int leastRank, long most, int mostRank, boolean found) {
    /** Words that each rank contributes. */
    static final int WORDS = 3;

    /** Bits of the rank in a word; above them is the print, which has 34 bits or is -1. */
    private static final int RANK_BITS = 28;

    /** Sets the words of one rank, starting at {@code words[at]}. */
    static void say(long print, int rank, long[] words, int at) {
        long both = print + 1 << RANK_BITS | rank;
        words[at] = both;
        words[at + 1] = -both;
        words[at + 2] = TopologyProfile.isNoneOrFound(print) ? 0 : 1;
    }

    /** Makes the summary from the greatest of all ranks' words. */
    static ProfilePrints heard(long[] words, int at) {
        int ranks = (1 << RANK_BITS) - 1;
        long least = -words[at + 1];
        return new ProfilePrints((least >> RANK_BITS) - 1, (int) least & ranks, (words[at] >> RANK_BITS) - 1,
            (int) words[at] & ranks, words[at + 2] == 0);
    }

    /** Makes the summary from all ranks' prints. */
    static ProfilePrints of(long... prints) {
        long[] greatest = new long[WORDS];
        long[] words = new long[WORDS];
        for (int rank = 0; rank < prints.length; rank++) {
            say(prints[rank], rank, words, 0);
            for (int i = 0; i < WORDS; i++) {
                greatest[i] = rank == 0 ? words[i] : Math.max(greatest[i], words[i]);
            }
        }
        return heard(greatest, 0);
    }

    /** Whether all ranks have the same profile, or all have none. */
    boolean alike() {
        return least == most;
    }

    /** A rank with a different print; there must be one. */
    int otherThan(long print) {
        return print != least ? leastRank : mostRank;
    }

    /** The print of that rank. */
    long ofOtherThan(long print) {
        return print != least ? least : most;
    }
}

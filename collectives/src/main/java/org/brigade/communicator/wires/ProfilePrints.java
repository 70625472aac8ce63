package org.brigade.communicator.wires;

/**
 * What the ranks of a communicator know of each other's topology profiles: the least and the greatest of their prints
 * ({@link TopologyProfile#print}), and who has them. It takes three words of each, of which the greatest count.
 *
 * @param leastRank the lowest rank that has the least
 * @param mostRank the highest rank that has the greatest
 * @param found whether no rank was told which to use: each has found one, or none
 */
record ProfilePrints(long least, int leastRank, long most, int mostRank, boolean found) {
    /** How many words a rank says. */
    static final int WORDS = 3;

    /** Prints have 34 bits, and -1. */
    private static final int RANK_BITS = 28;

    /** Sets the words of one rank, from {@code words[at]} on. */
    static void say(long print, int rank, long[] words, int at) {
        long both = print + 1 << RANK_BITS | rank;
        words[at] = both;
        words[at + 1] = -both;
        words[at + 2] = TopologyProfile.isNoneOrFound(print) ? 0 : 1;
    }

    /** From the greatest of all ranks' words. */
    static ProfilePrints heard(long[] words, int at) {
        int ranks = (1 << RANK_BITS) - 1;
        long least = -words[at + 1];
        return new ProfilePrints((least >> RANK_BITS) - 1, (int) least & ranks, (words[at] >> RANK_BITS) - 1,
            (int) words[at] & ranks, words[at + 2] == 0);
    }

    /** Of prints by rank. */
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

    /** Whether all ranks have the same one, or all none. */
    boolean alike() {
        return least == most;
    }

    /** A rank whose print is not this one; there must be one. */
    int otherThan(long print) {
        return print != least ? leastRank : mostRank;
    }

    /** What that rank's is. */
    long ofOtherThan(long print) {
        return print != least ? least : most;
    }
}

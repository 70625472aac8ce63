package org.brigade.pattern;

/**
 * Exchanges between ranks whose numbers differ in one bit, for any number of ranks: first the {@code extra} ranks above
 * the largest power of two are folded away. Of each of the first {@code extra} pairs (0,1), (2,3), ... one rank stays
 * in the core and acts for both. Core numbers follow rank order, so values combined from bit 0 upwards stay in rank
 * order.
 *
 * @param keep a rank that must stay in the core, even if it is the odd one of a pair; or -1
 */
public record RecursiveExchange(int ranks, int keep) {
    public RecursiveExchange(int ranks) {
        this(ranks, -1);
    }

    /** Number of ranks in the core: the largest power of two that is not above ranks. */
    public int core() {
        return Integer.highestOneBit(ranks);
    }

    /** Number of exchanges: the bits of a core number. */
    public int rounds() {
        return Integer.numberOfTrailingZeros(core());
    }

    private int extra() {
        return ranks - core();
    }

    /** Whether the rank is in a pair of which one is folded away. */
    public boolean paired(int rank) {
        return rank < 2 * extra();
    }

    /** The other rank of a pair. */
    public int partner(int rank) {
        return rank ^ 1;
    }

    /** Whether the rank is folded away: only its partner acts in the core. */
    public boolean folded(int rank) {
        return paired(rank) && rank != keeper(rank / 2);
    }

    private int keeper(int pair) {
        return keep >= 0 && keep / 2 == pair ? keep : 2 * pair + 1;
    }

    /** The core number of a rank that is not folded. */
    public int number(int rank) {
        return paired(rank) ? rank / 2 : rank - extra();
    }

    /** The rank with a core number. */
    public int rank(int number) {
        return number < extra() ? keeper(number) : number + extra();
    }

    /** The rank whose core number differs from this rank's in the given bit. */
    public int peer(int rank, int bit) {
        return rank(number(rank) ^ 1 << bit);
    }

    /** The first rank that a core number acts for; {@code first(number + 1)} is one past the last. */
    public int first(int number) {
        return number < extra() ? 2 * number : number + extra();
    }
}

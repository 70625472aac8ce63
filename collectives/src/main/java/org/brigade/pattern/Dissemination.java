package org.brigade.pattern;

/**
 * Rounds in which every rank sends over twice the distance of the previous round, around the end: after the last, every
 * rank has heard of every other.
 */
public record Dissemination(int ranks) {
    /** Number of rounds: log2 of ranks, rounded up. */
    public int rounds() {
        return 32 - Integer.numberOfLeadingZeros(ranks - 1);
    }

    public int to(int rank, int round) {
        return (rank + (1 << round)) % ranks;
    }

    public int from(int rank, int round) {
        return Math.floorMod(rank - (1 << round), ranks);
    }
}

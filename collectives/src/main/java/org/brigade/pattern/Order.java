package org.brigade.pattern;

import java.util.Arrays;

/**
 * A permutation of the ranks: the order in which rings and chains visit them, and the path from each to the next, if it
 * was measured. Immutable; one instance serves all schedules of a communicator.
 */
public final class Order {
    private final int ranks;
    // Both null for rank order, so that it needs no memory whatever the number of ranks.
    private final int[] rankAt;
    private final int[] positionOf;
    /** By position: the path to the next, around the end; null if unknown. */
    private final TransferRoute[] ways;

    private Order(int ranks, int[] rankAt, int[] positionOf, TransferRoute[] ways) {
        this.ways = ways;
        this.ranks = ranks;
        this.rankAt = rankAt;
        this.positionOf = positionOf;
    }

    /** Rank order. */
    public static Order identity(int ranks) {
        return new Order(ranks, null, null, null);
    }

    /**
     * The given order.
     *
     * @param rankAt every rank from 0 to {@code rankAt.length - 1}, once
     * @throws IllegalArgumentException naming the first rank that is out of range or appears twice
     */
    public static Order of(int[] rankAt) {
        int[] positionOf = new int[rankAt.length];
        Arrays.fill(positionOf, -1);
        boolean identity = true;
        for (int position = 0; position < rankAt.length; position++) {
            int rank = rankAt[position];
            if (rank < 0 || rank >= rankAt.length || positionOf[rank] >= 0) {
                throw new IllegalArgumentException(
                    "rank " + rank + " at position " + position + " of an order of " + rankAt.length + " ranks "
                        + (rank < 0 || rank >= rankAt.length ? "does not exist" : "appears twice")
                        + "; name each rank from 0 to " + (rankAt.length - 1) + " once");
            }
            positionOf[rank] = position;
            identity &= rank == position;
        }
        return identity ? identity(rankAt.length) : new Order(rankAt.length, rankAt.clone(), positionOf, null);
    }

    /**
     * The same order with these paths.
     *
     * @param ways by position: to the next, around the end; null if unknown
     */
    public Order by(TransferRoute[] ways) {
        if (ways.length != ranks) {
            throw new IllegalArgumentException(
                ways.length + " ways in an order of " + ranks + " ranks; give one for each position");
        }
        return new Order(ranks, rankAt, positionOf, ways.clone());
    }

    /** How data get from the rank at a position to the next; null if unknown. */
    public TransferRoute way(int position) {
        return ways == null ? null : ways[position];
    }

    /** How data get from one rank to another; null if unknown, or if the other is not the next. */
    public TransferRoute way(int from, int to) {
        return ways == null || rank((position(from) + 1) % ranks) != to ? null : ways[position(from)];
    }

    public int ranks() {
        return ranks;
    }

    public int rank(int position) {
        return rankAt == null ? position : rankAt[position];
    }

    public int position(int rank) {
        return positionOf == null ? rank : positionOf[rank];
    }

    public boolean isIdentity() {
        return rankAt == null;
    }

    /** The rank at each position. */
    public int[] toArray() {
        int[] all = new int[ranks];
        for (int position = 0; position < ranks; position++) {
            all[position] = rank(position);
        }
        return all;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Order order && ranks == order.ranks && Arrays.equals(rankAt, order.rankAt)
            && Arrays.equals(ways, order.ways);
    }

    @Override
    public int hashCode() {
        return 31 * ranks + Arrays.hashCode(rankAt);
    }

    @Override
    public String toString() {
        return isIdentity() ? "rank order" : Arrays.toString(rankAt);
    }
}

package org.brigade.pattern;

/** All ranks in a circle. */
public record Ring(Order order) {
    /** In rank order. */
    public Ring(int ranks) {
        this(Order.identity(ranks));
    }

    public int next(int rank) {
        int position = order.position(rank) + 1;
        return order.rank(position == order.ranks() ? 0 : position);
    }

    public int previous(int rank) {
        int position = order.position(rank);
        return order.rank(position == 0 ? order.ranks() - 1 : position - 1);
    }
}

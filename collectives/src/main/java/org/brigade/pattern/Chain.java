package org.brigade.pattern;

/** All ranks in a row that begins at one of them and follows an order, around its end. */
public record Chain(Order order, int start) {
    /** Stands for a neighbour that does not exist. */
    public static final int NOBODY = -1;

    /** In rank order. */
    public Chain(int ranks, int start) {
        this(Order.identity(ranks), start);
    }

    /** Steps from the start to a rank. */
    public int position(int rank) {
        return Math.floorMod(order.position(rank) - order.position(start), order.ranks());
    }

    /** The rank so many steps from the start; around the end, and backwards if negative. */
    public int at(int position) {
        return order.rank(Math.floorMod(order.position(start) + position, order.ranks()));
    }

    public int before(int rank) {
        return rank == start ? NOBODY : order.rank(Math.floorMod(order.position(rank) - 1, order.ranks()));
    }

    public int after(int rank) {
        int next = order.rank((order.position(rank) + 1) % order.ranks());
        return next == start ? NOBODY : next;
    }
}

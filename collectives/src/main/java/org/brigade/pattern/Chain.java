package org.brigade.pattern;

/** All ranks in a row that begins at one of them and goes on upwards, around the end. */
public record Chain(int ranks, int start) {
    /** Stands for a neighbour that does not exist. */
    public static final int NOBODY = -1;

    public int before(int rank) {
        return rank == start ? NOBODY : Math.floorMod(rank - 1, ranks);
    }

    public int after(int rank) {
        int next = Math.floorMod(rank + 1, ranks);
        return next == start ? NOBODY : next;
    }
}

package org.brigade.pattern;

/** All ranks in a circle. */
public record Ring(int ranks) {
    public int next(int rank) {
        return rank + 1 == ranks ? 0 : rank + 1;
    }

    public int previous(int rank) {
        return rank == 0 ? ranks - 1 : rank - 1;
    }
}

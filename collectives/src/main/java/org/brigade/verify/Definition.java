package org.brigade.verify;

import mpi.spi.Collective;

/**
 * What MPI defines that a collective delivers to one rank. Block {@code b} of the result is block {@code block} of what
 * rank {@code source + b} contributes; if the collective reduces, it is that block of the ranks {@code source} to
 * {@code source + terms - 1}, combined in rank order. A vector is one block.
 *
 * @param blocks of the result; 0 if the rank receives nothing
 */
public record Definition(int blocks, int source, int terms, int block) {
    private static final Definition NOTHING = new Definition(0, 0, 0, 0);

    public static Definition of(Collective collective, int rank, int ranks, int root, boolean inPlace) {
        return switch (collective) {
            case BARRIER -> NOTHING;
            case BCAST -> new Definition(1, root, 1, 0);
            case SCATTER, SCATTERV -> rank == root && inPlace ? NOTHING : new Definition(1, root, 1, rank);
            case GATHER, GATHERV -> rank == root ? new Definition(ranks, 0, 1, 0) : NOTHING;
            case ALLGATHER, ALLGATHERV -> new Definition(ranks, 0, 1, 0);
            case ALLTOALL, ALLTOALLV -> new Definition(ranks, 0, 1, rank);
            case REDUCE -> rank == root ? new Definition(1, 0, ranks, 0) : NOTHING;
            case ALLREDUCE -> new Definition(1, 0, ranks, 0);
            case SCAN -> new Definition(1, 0, rank + 1, 0);
            case EXSCAN -> rank == 0 ? NOTHING : new Definition(1, 0, rank, 0);
            case REDUCE_SCATTER -> new Definition(1, 0, ranks, rank);
        };
    }
}

package org.brigade.verify;

import mpi.spi.Collective;
import org.brigade.pattern.Neighbourhoods;

/**
 * What MPI defines that a collective delivers to one rank: its blocks, each with where it comes from. If the collective
 * reduces, a block is combined of so many ranks in rank order, from the source on. A vector is one block.
 *
 * @param terms ranks whose blocks are combined into one; 1 if the collective does not reduce
 * @param edges by block of the result: its source; the edge of nobody leaves the block as it was
 */
public record Definition(int terms, Edge... edges) {
    private static final Definition NOTHING = new Definition(0);

    /** Collectives among neighbours: on a ring. */
    public static Definition of(Collective collective, int rank, int ranks, int root, boolean inPlace) {
        return of(collective, rank, ranks, root, inPlace, new Neighbourhoods.Ring(ranks));
    }

    static Definition of(Collective collective, int rank, int ranks, int root, boolean inPlace,
        Neighbourhoods neighbours) {
        return switch (collective) {
            case BARRIER -> NOTHING;
            case BCAST -> one(root, 1, 0);
            case SCATTER, SCATTERV -> rank == root && inPlace ? NOTHING : one(root, 1, rank);
            case GATHER, GATHERV -> rank == root ? ofEach(ranks, 0) : NOTHING;
            case ALLGATHER, ALLGATHERV -> ofEach(ranks, 0);
            case ALLTOALL, ALLTOALLV -> ofEach(ranks, rank);
            case REDUCE -> rank == root ? one(0, ranks, 0) : NOTHING;
            case ALLREDUCE -> one(0, ranks, 0);
            case SCAN -> one(0, rank + 1, 0);
            case EXSCAN -> rank == 0 ? NOTHING : one(0, rank, 0);
            case REDUCE_SCATTER -> one(0, ranks, rank);
            case NEIGHBOR_ALLGATHER, NEIGHBOR_ALLTOALL -> {
                Edge[] edges = new Edge[neighbours.of(rank).sources().length];
                for (int block = 0; block < edges.length; block++) {
                    Edge edge = Edge.into(rank, block, neighbours);
                    edges[block] = collective == Collective.NEIGHBOR_ALLTOALL ? edge : new Edge(edge.rank(), 0);
                }
                yield new Definition(1, edges);
            }
        };
    }

    private static Definition one(int source, int terms, int block) {
        return new Definition(terms, new Edge(source, block));
    }

    /** Of every rank the same block. */
    private static Definition ofEach(int ranks, int block) {
        Edge[] edges = new Edge[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            edges[rank] = new Edge(rank, block);
        }
        return new Definition(1, edges);
    }

    /** Blocks of the result; 0 if the rank receives nothing. */
    public int blocks() {
        return edges.length;
    }

    /** The rank from which a block comes, or the first of those whose blocks are combined; negative: from nobody. */
    public int source(int block) {
        return edges[block].rank();
    }

    /** The block of the source's contribution. */
    public int block(int block) {
        return edges[block].block();
    }
}

package mpi.spi;

/**
 * One rank's edges in a virtual topology, for {@link Collective#amongNeighbours neighbourhood collectives}. Edges to
 * nobody have blocks that are neither sent nor received. Do not change the arrays.
 *
 * @param sources the rank from which each block of the receive buffer comes; negative: nobody
 * @param destinations the rank to which each block of the send buffer goes; negative: nobody
 * @param arrival all blocks of the receive buffer, in the order in which they arrive from each source: of several
 * blocks that one rank sends to another, the first of the send buffer arrives first
 */
public record Neighbourhood(int[] sources, int[] destinations, int[] arrival) {
    /** Blocks arrive in the order of the receive buffer. */
    public static Neighbourhood inOrder(int[] sources, int[] destinations) {
        int[] arrival = new int[sources.length];
        for (int block = 0; block < arrival.length; block++) {
            arrival[block] = block;
        }
        return new Neighbourhood(sources, destinations, arrival);
    }

    /**
     * A rank of a Cartesian grid, with pairs of neighbours: one step down and one step up each dimension. What a rank
     * sends down comes from above, also where both neighbours are the same rank.
     */
    public static Neighbourhood ofGrid(int[] neighbours) {
        int[] arrival = new int[neighbours.length];
        for (int block = 0; block < arrival.length; block++) {
            arrival[block] = block ^ 1;
        }
        return new Neighbourhood(neighbours, neighbours, arrival);
    }
}

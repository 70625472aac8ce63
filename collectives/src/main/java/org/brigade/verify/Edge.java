package org.brigade.verify;

import mpi.spi.Neighbourhood;
import org.brigade.pattern.Neighbourhoods;

/**
 * The sending end of an edge.
 *
 * @param rank the source; negative: nobody
 * @param block of its send buffer
 */
public record Edge(int rank, int block) {
    /** The edge along which a block of a rank's receive buffer comes. */
    public static Edge into(int rank, int block, Neighbourhoods neighbours) {
        Neighbourhood own = neighbours.of(rank);
        int source = own.sources()[block];
        if (source < 0) {
            return new Edge(source, 0);
        }
        int before = 0;
        for (int i = 0; own.arrival()[i] != block; i++) {
            before += own.sources()[own.arrival()[i]] == source ? 1 : 0;
        }
        int[] destinations = neighbours.of(source).destinations();
        for (int out = 0; out < destinations.length; out++) {
            if (destinations[out] == rank && before-- == 0) {
                return new Edge(source, out);
            }
        }
        throw new IllegalArgumentException("rank " + rank + " receives block " + block + " from rank " + source
            + ", which does not send it");
    }
}

package org.brigade.pattern;

import mpi.spi.Neighbourhood;

/**
 * Who exchanges with whom in neighbourhood collectives. A rank of a running job knows its own edges only; simulator and
 * verifier know those of all ranks.
 */
public interface Neighbourhoods {
    /** The edges of a rank. */
    Neighbourhood of(int rank);

    /** The edges of the rank that asks. */
    record OwnEdges(Neighbourhood own) implements Neighbourhoods {
        @Override
        public Neighbourhood of(int rank) {
            return own;
        }
    }

    /** A periodic grid of one dimension: what simulator, benchmark and explanation take, as they ask for none. */
    record Ring(int ranks) implements Neighbourhoods {
        @Override
        public Neighbourhood of(int rank) {
            return Neighbourhood.ofGrid(new int[] {(rank + ranks - 1) % ranks, (rank + 1) % ranks});
        }

        @Override
        public String toString() {
            return "ring";
        }
    }
}

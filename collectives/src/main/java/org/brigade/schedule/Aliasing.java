package org.brigade.schedule;

import mpi.spi.Collective;
import mpi.spi.Extent;

/**
 * The effect of MPI_IN_PLACE on a schedule's operands: two roles name the same bytes, as {@link Geometry#inPlace}
 * lists.
 */
public final class Aliasing {
    private Aliasing() {
    }

    /**
     * Whether schedules of a collective see that it is in place. The engine copies the input of the others first, and
     * collectives among neighbours are never in place.
     */
    public static boolean happens(Collective collective) {
        return collective.send != Extent.NONE && !collective.overwrites && !collective.amongNeighbours();
    }

    /** The slice under the one name that its bytes have on this rank, so that slices of the same bytes are equal. */
    public static Slice resolve(Geometry geometry, Slice slice) {
        Collective collective = geometry.collective();
        boolean scatters = collective.scatters();
        if (!geometry.inPlace() || !happens(collective) || collective.rooted && geometry.rank() != geometry.root()
            || slice.role() != (scatters ? Role.RECV : Role.SEND)) {
            return slice;
        }
        if (scatters) {
            return new Slice(Role.SEND, 0, Index.of(geometry.rank()), 1);
        }
        return collective.send == Extent.OWN ? new Slice(Role.RECV, 0, Index.of(geometry.rank()), 1)
            : new Slice(Role.RECV, 0, slice.first(), slice.blocks());
    }

    /** Whether two resolved slices are the same bytes in every round. */
    static boolean same(Slice one, Slice other) {
        return one.equals(other);
    }
}

package org.brigade.schedule;

/**
 * The effect of MPI_IN_PLACE on a schedule's operands: two roles name the same bytes, as {@link Geometry#inPlace}
 * lists.
 */
public final class Aliasing {
    private Aliasing() {
    }

    /** The slice under the one name that its bytes have on this rank, so that slices of the same bytes are equal. */
    public static Slice resolve(Geometry geometry, Slice slice) {
        if (!geometry.inPlace()) {
            return slice;
        }
        boolean root = geometry.rank() == geometry.root();
        switch (geometry.collective()) {
            case ALLREDUCE :
                return slice.role() == Role.SEND ? new Slice(Role.RECV, 0, slice.first(), slice.blocks()) : slice;
            case REDUCE :
                return root && slice.role() == Role.SEND ? new Slice(Role.RECV, 0, slice.first(), slice.blocks())
                    : slice;
            case ALLGATHER :
            case ALLGATHERV :
                return slice.role() == Role.SEND ? new Slice(Role.RECV, 0, Index.of(geometry.rank()), 1) : slice;
            case GATHER :
            case GATHERV :
                return root && slice.role() == Role.SEND ? new Slice(Role.RECV, 0, Index.of(geometry.rank()), 1)
                    : slice;
            case SCATTER :
            case SCATTERV :
                return root && slice.role() == Role.RECV ? new Slice(Role.SEND, 0, Index.of(geometry.rank()), 1)
                    : slice;
            default :
                return slice;
        }
    }

    /** Whether two resolved slices are the same bytes in every round. */
    static boolean same(Slice one, Slice other) {
        return one.equals(other);
    }
}

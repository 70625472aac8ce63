package mpi;

import mpi.front.topology.CartesianGrid;
import mpi.front.topology.TopologyArguments;

/** A Cartesian topology, and where this process is in it; from {@link CartComm#getTopo} or {@link Cartcomm#Get}. */
public final class CartParms {
    /** Ranks along each dimension. */
    public int[] dims;
    /** Whether each dimension is a ring. */
    public boolean[] periods;
    /** This process's coordinates, from 0. */
    public int[] coords;

    CartParms(CartesianGrid grid, int rank) {
        dims = grid.dims();
        periods = grid.periods();
        coords = grid.coords(rank);
    }

    /** Number of dimensions. */
    public int getDimCount() {
        return dims.length;
    }

    /**
     * Ranks along a dimension.
     *
     * @param i a dimension, from 0
     * @throws MPIException ERR_ARG if there is no such dimension
     */
    public int getDim(int i) {
        return dims[checked("CartParms.getDim", i)];
    }

    /**
     * Whether a dimension is a ring.
     *
     * @param i a dimension, from 0
     * @throws MPIException ERR_ARG if there is no such dimension
     */
    public boolean getPeriod(int i) {
        return periods[checked("CartParms.getPeriod", i)];
    }

    /**
     * This process's coordinate in a dimension.
     *
     * @param i a dimension, from 0
     * @throws MPIException ERR_ARG if there is no such dimension
     */
    public int getCoord(int i) {
        return coords[checked("CartParms.getCoord", i)];
    }

    private int checked(String call, int i) {
        return TopologyArguments.index(call, "dimension", i, dims.length);
    }
}

package mpi;

import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.front.topology.BalancedDims;
import mpi.front.topology.CartesianGrid;
import mpi.front.topology.Placing;
import mpi.spi.Communicator;
import mpi.spi.Neighbourhood;

/**
 * A communicator whose ranks are the cells of a Cartesian grid, in the camel dialect; {@link Cartcomm} is the capital
 * dialect's. Ranks count along the last dimension first. Duplicates have the same grid.
 */
public final class CartComm extends Intracomm {
    private final CartesianGrid grid;

    CartComm(Handle handle, CartesianGrid grid) {
        super(handle);
        this.grid = grid;
    }

    /** See {@link Intracomm#createCart}. */
    static CartComm of(Intracomm parent, int[] dims, boolean[] periods, boolean reorder) {
        CartesianGrid grid = CartesianGrid.of(parent.handle.ofCollectives, "createCart", dims, periods);
        return parent.descended(new CartComm(
            Handle.of(Placing.place(parent.handle, parent.collectives(), "createCart", grid, reorder)), grid));
    }

    @Override
    int topology() {
        return Constants.CART;
    }

    @Override
    Neighbourhood edges(String call) {
        return grid.edges(handle.rank);
    }

    @Override
    CartComm alike(Handle other) {
        return new CartComm(other, grid);
    }

    @Override
    public CartComm dup() throws MPIException {
        return (CartComm) super.dup();
    }

    @Override
    public CartComm iDup() throws MPIException {
        return (CartComm) super.iDup();
    }

    @Override
    public CartComm dupWithInfo(Info info) throws MPIException {
        return (CartComm) super.dupWithInfo(info);
    }

    @Override
    public CartComm clone() {
        return (CartComm) super.clone();
    }

    /** The grid, and this rank's coordinates in it (MPI_Cartdim_get, MPI_Cart_get). */
    public CartParms getTopo() throws MPIException {
        handle.lower("getTopo");
        return new CartParms(grid, handle.rank);
    }

    /**
     * The rank at these coordinates (MPI_Cart_rank).
     *
     * @param coords one for each dimension; any number in a periodic dimension
     * @throws MPIException ERR_ARG if {@code coords} is null or too short, or a coordinate lies outside the grid
     */
    public int getRank(int[] coords) throws MPIException {
        return grid.rank(handle, "getRank", coords);
    }

    /**
     * The coordinates of a rank, one for each dimension (MPI_Cart_coords).
     *
     * @param rank a rank of this communicator
     * @throws MPIException ERR_RANK if it is none
     */
    public int[] getCoords(int rank) throws MPIException {
        return grid.coords(handle, "getCoords", rank);
    }

    /**
     * The partners of this rank when all ranks send along a dimension (MPI_Cart_shift). Beyond the edge of a dimension
     * that is not periodic there is {@link MPI#PROC_NULL}.
     *
     * @param direction the dimension, from 0
     * @param disp how many cells to send: upwards if positive, downwards if negative
     * @throws MPIException ERR_DIMS if there is no such dimension
     */
    public ShiftParms shift(int direction, int disp) throws MPIException {
        return new ShiftParms(grid.shift(handle, "shift", direction, disp));
    }

    /**
     * Divides the grid into grids of fewer dimensions (MPI_Cart_sub). All ranks call it.
     *
     * @param remainDims for each dimension, whether it remains; the same on all ranks
     * @return the grid that this rank is in
     * @throws MPIException ERR_ARG if {@code remainDims} is null or too short
     */
    public CartComm sub(boolean[] remainDims) throws MPIException {
        Communicator lower = handle.lower("sub");
        CartesianGrid part = grid.part(handle.ofCollectives, "sub", remainDims);
        return descended(new CartComm(Handle.of(grid.split(lower, remainDims)), part));
    }

    /**
     * The rank that this process would get if a grid were placed on this communicator's ranks so that neighbours are on
     * the same node (MPI_Cart_map). It is local: it knows of nodes, but not of the caches that
     * {@link Intracomm#createCart} also looks at.
     *
     * @param dims as for {@link Intracomm#createCart}
     * @param periods as for {@link Intracomm#createCart}
     * @return {@link MPI#UNDEFINED} if the process would be outside the grid
     * @throws MPIException as for {@link Intracomm#createCart}
     */
    public int map(int[] dims, boolean[] periods) throws MPIException {
        return Placing.rankIn(handle, "map", CartesianGrid.of(handle, "map", dims, periods));
    }

    /**
     * Shares ranks out to the dimensions of a grid: as equal as possible, the largest first (MPI_Dims_create).
     *
     * @param nnodes number of ranks
     * @param dims 0 for each dimension to be filled in; other numbers stay
     * @throws MPIException ERR_DIMS if {@code nnodes} is not positive, if a number in {@code dims} is negative or if
     * those that are given do not divide {@code nnodes}; ERR_ARG if {@code dims} is null
     */
    public static void createDims(int nnodes, int[] dims) throws MPIException {
        JobState.provider("CartComm.createDims");
        BalancedDims.fill("CartComm.createDims", nnodes, dims);
    }
}

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
 * A communicator whose ranks are the cells of a Cartesian grid, in the capital dialect; its calls are those of
 * {@link CartComm}.
 */
public class Cartcomm extends Intracomm {
    private final CartesianGrid grid;

    Cartcomm(Handle handle, CartesianGrid grid) {
        super(handle);
        this.grid = grid;
    }

    /** See {@link Intracomm#Create_cart}. */
    static Cartcomm of(Intracomm parent, int[] dims, boolean[] periods, boolean reorder) {
        CartesianGrid grid = CartesianGrid.of(parent.handle.ofCollectives, "Create_cart", dims, periods);
        Communicator mine = Placing.place(parent.handle, parent.collectives(), "Create_cart", grid, reorder);
        return mine == null ? null : parent.descended(new Cartcomm(Handle.of(mine), grid));
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
    Cartcomm alike(Handle other) {
        return new Cartcomm(other, grid);
    }

    @Override
    public Cartcomm dup() throws MPIException {
        return (Cartcomm) super.dup();
    }

    @Override
    public Cartcomm iDup() throws MPIException {
        return (Cartcomm) super.iDup();
    }

    @Override
    public Cartcomm dupWithInfo(Info info) throws MPIException {
        return (Cartcomm) super.dupWithInfo(info);
    }

    @Override
    public Cartcomm clone() {
        return (Cartcomm) super.clone();
    }

    /** As {@link CartComm#getTopo} (MPI_Cartdim_get, MPI_Cart_get). */
    public CartParms Get() throws MPIException {
        handle.lower("Get");
        return new CartParms(grid, handle.rank);
    }

    /** As {@link CartComm#getRank(int[])} (MPI_Cart_rank). */
    public int Rank(int[] coords) throws MPIException {
        return grid.rank(handle, "Rank", coords);
    }

    /** As {@link CartComm#getCoords} (MPI_Cart_coords). */
    public int[] Coords(int rank) throws MPIException {
        return grid.coords(handle, "Coords", rank);
    }

    /** As {@link CartComm#shift} (MPI_Cart_shift). */
    public ShiftParms Shift(int direction, int disp) throws MPIException {
        return new ShiftParms(grid.shift(handle, "Shift", direction, disp));
    }

    /** As {@link CartComm#sub} (MPI_Cart_sub). */
    public Cartcomm Sub(boolean[] remainDims) throws MPIException {
        Communicator lower = handle.lower("Sub");
        CartesianGrid part = grid.part(handle.ofCollectives, "Sub", remainDims);
        return descended(new Cartcomm(Handle.of(grid.split(lower, remainDims)), part));
    }

    /** As {@link CartComm#map} (MPI_Cart_map). */
    public int Map(int[] dims, boolean[] periods) throws MPIException {
        return Placing.rankIn(handle, "Map", CartesianGrid.of(handle, "Map", dims, periods));
    }

    /** As {@link CartComm#createDims} (MPI_Dims_create). */
    public static void Dims_create(int nnodes, int[] dims) throws MPIException {
        JobState.provider("Cartcomm.Dims_create");
        BalancedDims.fill("Cartcomm.Dims_create", nnodes, dims);
    }
}

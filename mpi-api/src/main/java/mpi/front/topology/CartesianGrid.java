package mpi.front.topology;

import java.util.Arrays;
import mpi.ErrorClass;
import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.spi.Communicator;
import mpi.spi.Neighbourhood;

/**
 * A Cartesian grid of ranks, with the checks of the calls that ask it. The last dimension varies fastest. Immutable;
 * duplicates of a communicator share it.
 */
public final class CartesianGrid implements RankTopology {
    private final int[] dims;
    private final boolean[] periods;
    private final int size;

    private CartesianGrid(int[] dims, boolean[] periods) {
        this.dims = dims;
        this.periods = periods;
        size = product(dims);
    }

    private static int product(int[] factors) {
        int product = 1;
        for (int factor : factors) {
            product *= factor;
        }
        return product;
    }

    /** A grid that the communicator's ranks can fill. */
    public static CartesianGrid of(Handle handle, String call, int[] dims, boolean[] periods) {
        handle.lower(call);
        TopologyArguments.present(handle, call, "dims", dims);
        TopologyArguments.length(handle, call, "periods", periods, periods == null ? 0 : periods.length, dims.length,
            "dimension");
        long ranks = 1;
        for (int dim : dims) {
            if (dim < 1) {
                throw handle.error(ErrorClass.DIMS, call,
                    "dims is " + Arrays.toString(dims) + "; pass 1 or more ranks in each dimension");
            }
            ranks *= dim;
            if (ranks > handle.size) {
                throw handle.error(ErrorClass.DIMS, call, "a grid of " + shape(dims) + " has more ranks than the "
                    + handle.size + " of this communicator; pass smaller dims");
            }
        }
        return new CartesianGrid(dims.clone(), Arrays.copyOf(periods, dims.length));
    }

    /** {@code 2 x 3}. */
    private static String shape(int[] dims) {
        StringBuilder shape = new StringBuilder();
        for (int dim : dims) {
            shape.append(shape.length() == 0 ? "" : " x ").append(dim);
        }
        return dims.length == 0 ? "no dimensions" : shape.toString();
    }

    @Override
    public int size() {
        return size;
    }

    /** {@code grid of 2 x 3}. */
    @Override
    public String toString() {
        return "grid of " + shape(dims);
    }

    /** Ranks along each dimension. */
    public int[] dims() {
        return dims.clone();
    }

    /** Whether each dimension is a ring. */
    public boolean[] periods() {
        return periods.clone();
    }

    // ---- ranks and coordinates ----

    public int[] coords(int rank) {
        int[] coords = new int[dims.length];
        int rest = rank;
        for (int i = dims.length - 1; i >= 0; i--) {
            coords[i] = rest % dims[i];
            rest /= dims[i];
        }
        return coords;
    }

    public int[] coords(Handle handle, String call, int rank) {
        handle.lower(call);
        TopologyArguments.rank(handle, call, rank);
        return coords(rank);
    }

    private int rank(int[] coords) {
        int rank = 0;
        for (int i = 0; i < dims.length; i++) {
            rank = rank * dims[i] + coords[i];
        }
        return rank;
    }

    public int rank(Handle handle, String call, int[] coords) {
        handle.lower(call);
        TopologyArguments.length(handle, call, "coords", coords, coords == null ? 0 : coords.length, dims.length,
            "dimension");
        int rank = 0;
        for (int i = 0; i < dims.length; i++) {
            if (!periods[i] && (coords[i] < 0 || coords[i] >= dims[i])) {
                throw handle.error(ErrorClass.ARG, call, "coordinate " + coords[i] + " of dimension " + i
                    + " is outside the grid, and the dimension is not periodic; pass 0 to " + (dims[i] - 1));
            }
            rank = rank * dims[i] + Math.floorMod(coords[i], dims[i]);
        }
        return rank;
    }

    /** The rank to receive from and the rank to send to when all ranks send along a dimension. */
    public int[] shift(Handle handle, String call, int direction, int disp) {
        handle.lower(call);
        if (direction < 0 || direction >= dims.length) {
            throw handle.error(ErrorClass.DIMS, call, "direction " + direction + " is no dimension of the " + this
                + (dims.length == 0 ? ", which cannot be shifted" : "; pass 0 to " + (dims.length - 1)));
        }
        return new int[] {neighbour(handle.rank, direction, -(long) disp), neighbour(handle.rank, direction, disp)};
    }

    private int neighbour(int rank, int direction, long disp) {
        int stride = 1;
        for (int i = direction + 1; i < dims.length; i++) {
            stride *= dims[i];
        }
        int from = rank / stride % dims[direction];
        long to = from + disp;
        if (periods[direction]) {
            to = Math.floorMod(to, dims[direction]);
        } else if (to < 0 || to >= dims[direction]) {
            return Constants.PROC_NULL;
        }
        return rank + ((int) to - from) * stride;
    }

    /** A rank's neighbours in neighbourhood collectives: one step down and one step up each dimension. */
    public Neighbourhood edges(int rank) {
        int[] neighbours = new int[2 * dims.length];
        for (int i = 0; i < dims.length; i++) {
            neighbours[2 * i] = neighbour(rank, i, -1);
            neighbours[2 * i + 1] = neighbour(rank, i, 1);
        }
        return Neighbourhood.ofGrid(neighbours);
    }

    // ---- grids made from grids ----

    /** The dimensions that remain. */
    public CartesianGrid part(Handle handle, String call, boolean[] remain) {
        TopologyArguments.length(handle, call, "remainDims", remain, remain == null ? 0 : remain.length, dims.length,
            "dimension");
        int[] kept = new int[dims.length];
        boolean[] rings = new boolean[dims.length];
        int count = 0;
        for (int i = 0; i < dims.length; i++) {
            if (remain[i]) {
                kept[count] = dims[i];
                rings[count++] = periods[i];
            }
        }
        return new CartesianGrid(Arrays.copyOf(kept, count), Arrays.copyOf(rings, count));
    }

    /** The communicator of those ranks of a grid that differ in the remaining dimensions only, in their order. */
    public Communicator split(Communicator lower, boolean[] remain) {
        int[] coords = coords(lower.rank());
        int colour = 0;
        int key = 0;
        for (int i = 0; i < dims.length; i++) {
            if (remain[i]) {
                key = key * dims[i] + coords[i];
            } else {
                colour = colour * dims[i] + coords[i];
            }
        }
        return lower.split(colour, key);
    }

    // ---- placing ranks ----

    @Override
    public RankPlacement placement(int[][] levels) {
        RankPlacement placement = RankTopology.super.placement(levels);
        if (placement.divides()) {
            placement.consider(blocked(placement.groupSizes()));
        }
        return placement;
    }

    /** Every rank and its neighbours in each dimension. */
    @Override
    public CommunicationGraph graph() {
        CommunicationGraph graph = new CommunicationGraph(size, 2 * dims.length * size);
        for (int rank = 0; rank < size; rank++) {
            for (int i = 0; i < dims.length; i++) {
                graph.edge(rank, neighbour(rank, i, -1), 1);
                graph.edge(rank, neighbour(rank, i, 1), 1);
            }
        }
        return graph;
    }

    /**
     * The ranks block by block, each block again by smaller blocks, so that the blocks of each size have the least
     * surface. Null if the grid cannot be divided into such blocks.
     *
     * @param sizes of the blocks, from the largest; 0 for blocks of different sizes
     */
    private int[] blocked(int[] sizes) {
        int[][] shapes = new int[sizes.length + 1][];
        int[] whole = dims;
        for (int depth = 0; depth < sizes.length; depth++) {
            shapes[depth] = sizes[depth] == 0 ? null
                : new BlockShape(whole, depth == 0 ? periods : new boolean[dims.length]).of(sizes[depth]);
            if (shapes[depth] == null) {
                return null;
            }
            whole = shapes[depth];
        }
        shapes[sizes.length] = new int[dims.length];
        Arrays.fill(shapes[sizes.length], 1);
        int[] order = new int[size];
        fill(order, 0, new int[dims.length], dims, shapes, 0);
        return order;
    }

    private int fill(int[] order, int filled, int[] corner, int[] extent, int[][] shapes, int depth) {
        if (depth == shapes.length) {
            order[filled] = rank(corner);
            return filled + 1;
        }
        int[] step = shapes[depth];
        int[] at = corner.clone();
        int next = filled;
        while (true) {
            next = fill(order, next, at, step, shapes, depth + 1);
            int i = dims.length - 1;
            while (i >= 0 && at[i] + step[i] == corner[i] + extent[i]) {
                at[i] = corner[i];
                i--;
            }
            if (i < 0) {
                return next;
            }
            at[i] += step[i];
        }
    }
}

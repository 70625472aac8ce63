package org.brigade.examples;

import mpi.CartComm;
import mpi.Cartcomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ShiftParms;

/**
 * Conway's Game of Life on a torus whose cells are shared out to a Cartesian grid of ranks. Before each step neighbours
 * exchange the cells at their borders (the halo): first rows, in the camel dialect, then columns with what came in the
 * corners, in the capital dialect.
 *
 * <p>
 * {@code mpjrun -np 4 -cp examples/target/classes org.brigade.examples.LifeOnATorus [steps]}; the answer is the same
 * for any number of ranks that divides the torus.
 */
public final class LifeOnATorus {
    private static final int SIDE = 48;
    /** The R-pentomino, which grows for a long time. */
    private static final int[][] FIRST = {{0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 1}};

    private final CartComm grid;
    private final Cartcomm same;
    private final int rows;
    private final int columns;
    /** Cells of one row, with the halo. */
    private final int width;
    private int[] cells;

    private LifeOnATorus(int[] dims) throws MPIException {
        if (SIDE % dims[0] != 0 || SIDE % dims[1] != 0) {
            throw new IllegalArgumentException(SIDE + " cells cannot be shared out evenly to " + dims[0] + " x "
                + dims[1] + " ranks; use 1, 2, 4, 6, 8, 9, 12 or 16");
        }
        boolean[] ring = {true, true};
        grid = MPI.COMM_WORLD.createCart(dims, ring, true);
        same = grid.Create_cart(dims, ring, false);
        rows = SIDE / dims[0];
        columns = SIDE / dims[1];
        width = columns + 2;
        cells = new int[(rows + 2) * width];
        int[] own = grid.getCoords(grid.getRank());
        for (int[] cell : FIRST) {
            int row = SIDE / 2 + cell[0] - own[0] * rows;
            int column = SIDE / 2 + cell[1] - own[1] * columns;
            if (row >= 0 && row < rows && column >= 0 && column < columns) {
                cells[(row + 1) * width + column + 1] = 1;
            }
        }
    }

    /** Sends the first row upwards and the last one downwards. */
    private void exchangeRows() throws MPIException {
        for (int disp = -1; disp <= 1; disp += 2) {
            ShiftParms partners = grid.shift(0, disp);
            int border = disp < 0 ? 1 : rows;
            int halo = disp < 0 ? rows + 1 : 0;
            grid.sendRecv(MPI.slice(cells, border * width), width, MPI.INT, partners.getRankDest(), 0,
                MPI.slice(cells, halo * width), width, MPI.INT, partners.getRankSource(), 0);
        }
    }

    /** Sends the first column to the left and the last one to the right. */
    private void exchangeColumns() throws MPIException {
        for (int disp = -1; disp <= 1; disp += 2) {
            ShiftParms partners = same.Shift(1, disp);
            int border = disp < 0 ? 1 : columns;
            int halo = disp < 0 ? columns + 1 : 0;
            int[] out = new int[rows + 2];
            int[] in = new int[rows + 2];
            for (int row = 0; row < out.length; row++) {
                out[row] = cells[row * width + border];
            }
            same.Sendrecv(out, 0, out.length, MPI.INT, partners.rank_dest, 0,
                in, 0, in.length, MPI.INT, partners.rank_source, 0);
            for (int row = 0; row < in.length; row++) {
                cells[row * width + halo] = in[row];
            }
        }
    }

    private void step() throws MPIException {
        exchangeRows();
        exchangeColumns();
        int[] next = new int[cells.length];
        for (int row = 1; row <= rows; row++) {
            for (int at = row * width + 1; at <= row * width + columns; at++) {
                int around = -cells[at];
                for (int above = at - width; above <= at + width; above += width) {
                    around += cells[above - 1] + cells[above] + cells[above + 1];
                }
                next[at] = around == 3 || around == 2 && cells[at] == 1 ? 1 : 0;
            }
        }
        cells = next;
    }

    /** The number of living cells of all ranks. */
    private int living() throws MPIException {
        int[] living = {0};
        for (int row = 1; row <= rows; row++) {
            for (int column = 1; column <= columns; column++) {
                living[0] += cells[row * width + column];
            }
        }
        grid.allReduce(living, 1, MPI.INT, MPI.SUM);
        return living[0];
    }

    public static void main(String[] args) throws MPIException {
        args = MPI.Init(args);
        int steps = args.length > 0 ? Integer.parseInt(args[0]) : 500;
        int[] dims = new int[2];
        CartComm.createDims(MPI.COMM_WORLD.getSize(), dims);
        LifeOnATorus life = new LifeOnATorus(dims);
        for (int i = 0; i < steps; i++) {
            life.step();
        }
        int living = life.living();
        if (life.grid.getRank() == 0) {
            System.out.println("After " + steps + " steps " + living + " cells live");
        }
        MPI.Finalize();
    }
}

package org.brigade.examples;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/**
 * Heat spreads over a plate: Jacobi's iteration on a grid whose rows are shared out in bands. Before each step
 * neighbours exchange the rows at their common border (the halo) by iSend and iRecv on direct buffers, and meanwhile
 * the rows inside, which need no neighbour, are computed. Camel dialect.
 *
 * <pre>
 *   row 0          halo: last row of the rank above (on rank 0 the hot edge)
 *   rows 1..own    this rank's band
 *   row own + 1    halo: first row of the rank below (on the last rank the cold edge)
 * </pre>
 *
 * {@code mpjrun -np 4 -cp examples/target/classes org.brigade.examples.HeatedPlate [steps]}; the answer is the same for
 * any number of ranks that divides 240.
 */
public final class HeatedPlate {
    private static final int ROWS = 240;
    private static final int COLUMNS = 256;
    private static final int DOWNWARDS = 1;
    private static final int UPWARDS = 2;

    private final int rank;
    private final int above;
    private final int below;
    private final int own;
    private double[][] now;
    private double[][] then;
    private final DoubleBuffer firstRow = row();
    private final DoubleBuffer lastRow = row();
    private final DoubleBuffer haloAbove = row();
    private final DoubleBuffer haloBelow = row();

    private HeatedPlate() throws MPIException {
        rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        if (ROWS % size != 0) {
            throw new IllegalArgumentException(
                ROWS + " rows cannot be shared out evenly to " + size + " ranks; use 1, 2, 3, 4, 5, 6, 8 or 10");
        }
        above = rank == 0 ? MPI.PROC_NULL : rank - 1;
        below = rank == size - 1 ? MPI.PROC_NULL : rank + 1;
        own = ROWS / size;
        now = new double[own + 2][COLUMNS];
        then = new double[own + 2][COLUMNS];
        if (rank == 0) {
            java.util.Arrays.fill(now[0], 100);
            java.util.Arrays.fill(then[0], 100);
        }
    }

    private static DoubleBuffer row() {
        return ByteBuffer.allocateDirect(COLUMNS * Double.BYTES).order(ByteOrder.nativeOrder()).asDoubleBuffer();
    }

    private void step() throws MPIException {
        firstRow.put(0, now[1]);
        lastRow.put(0, now[own]);
        Request[] exchange = {
            MPI.COMM_WORLD.iRecv(haloAbove, COLUMNS, MPI.DOUBLE, above, DOWNWARDS),
            MPI.COMM_WORLD.iRecv(haloBelow, COLUMNS, MPI.DOUBLE, below, UPWARDS),
            MPI.COMM_WORLD.iSend(lastRow, COLUMNS, MPI.DOUBLE, below, DOWNWARDS),
            MPI.COMM_WORLD.iSend(firstRow, COLUMNS, MPI.DOUBLE, above, UPWARDS)};
        for (int row = 2; row < own; row++) {
            relax(row);
        }
        Request.waitAll(exchange);
        if (above != MPI.PROC_NULL) {
            haloAbove.get(0, now[0]);
        }
        if (below != MPI.PROC_NULL) {
            haloBelow.get(0, now[own + 1]);
        }
        relax(1);
        if (own > 1) {
            relax(own);
        }
        double[][] swap = now;
        now = then;
        then = swap;
    }

    private void relax(int row) {
        for (int column = 1; column < COLUMNS - 1; column++) {
            then[row][column] =
                0.25 * (now[row - 1][column] + now[row + 1][column] + now[row][column - 1] + now[row][column + 1]);
        }
    }

    /** Temperature in the middle of the plate's fourth row, which rank 0 holds. */
    private double probe() {
        return now[4][COLUMNS / 2];
    }

    public static void main(String[] args) throws MPIException {
        args = MPI.Init(args);
        int steps = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
        HeatedPlate plate = new HeatedPlate();
        for (int i = 0; i < steps; i++) {
            plate.step();
        }
        double[] hottest = {0};
        for (int row = 1; row <= plate.own; row++) {
            for (double temperature : plate.now[row]) {
                hottest[0] = Math.max(hottest[0], temperature);
            }
        }
        MPI.COMM_WORLD.allReduce(hottest, 1, MPI.DOUBLE, MPI.MAX);
        if (plate.rank == 0) {
            System.out.println("After " + steps + " steps the hottest cell has " + hottest[0]
                + " degrees, the probe reads " + plate.probe());
        }
        MPI.Finalize();
    }
}

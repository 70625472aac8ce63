package org.brigade.examples.tutorial;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/** The heated plate of docs/tutorial.md again: the rows inside are computed while the halo travels. */
public final class Overlap {
    private static final int ROWS = 240;
    private static final int COLUMNS = 256;
    private static final int DOWNWARDS = 1;
    private static final int UPWARDS = 2;

    private final int rank = MPI.COMM_WORLD.getRank();
    private final int size = MPI.COMM_WORLD.getSize();
    private final int above = rank == 0 ? MPI.PROC_NULL : rank - 1;
    private final int below = rank == size - 1 ? MPI.PROC_NULL : rank + 1;
    private final int own = ROWS / size;
    private double[][] now = new double[own + 2][COLUMNS];
    private double[][] then = new double[own + 2][COLUMNS];

    // listing buffers
    private final DoubleBuffer firstRow = MPI.newDoubleBuffer(COLUMNS);
    private final DoubleBuffer lastRow = MPI.newDoubleBuffer(COLUMNS);
    private final DoubleBuffer haloAbove = MPI.newDoubleBuffer(COLUMNS);
    private final DoubleBuffer haloBelow = MPI.newDoubleBuffer(COLUMNS);
    // end

    private Overlap() throws MPIException {
        if (rank == 0) {
            Arrays.fill(now[0], 100);
            Arrays.fill(then[0], 100);
        }
    }

    // listing step
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
        relax(own);
        double[][] swap = now;
        now = then;
        then = swap;
    }
    // end

    private void relax(int row) {
        for (int column = 1; column < COLUMNS - 1; column++) {
            then[row][column] =
                0.25 * (now[row - 1][column] + now[row + 1][column] + now[row][column - 1] + now[row][column + 1]);
        }
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        Overlap plate = new Overlap();
        for (int i = 0; i < 500; i++) {
            plate.step();
        }
        double[] heat = new double[1];
        for (int row = 1; row <= plate.own; row++) {
            heat[0] += Arrays.stream(plate.now[row]).sum();
        }
        MPI.COMM_WORLD.allReduce(heat, 1, MPI.DOUBLE, MPI.SUM);
        if (plate.rank == 0) {
            System.out.printf("the mean temperature is %.6f degrees%n", heat[0] / (ROWS * COLUMNS));
        }
        MPI.Finalize();
    }
}

package org.brigade.examples.tutorial;

import java.util.Arrays;
import java.util.Random;
import mpi.MPI;
import mpi.MPIException;

/**
 * The heated plate of docs/tutorial.md with blocking calls: the upper edge has 100 degrees, and in each step a cell
 * becomes the mean of its four neighbours. The rows are shared out in bands. With an argument, one rank is slow; rank 0
 * draws lots which.
 */
public final class Plate {
    // listing rows
    private static final int ROWS = 240;
    private static final int COLUMNS = 256;
    private static final int DOWNWARDS = 1;
    private static final int UPWARDS = 2;

    private final int rank = MPI.COMM_WORLD.getRank();
    private final int size = MPI.COMM_WORLD.getSize();
    private final int above = rank == 0 ? MPI.PROC_NULL : rank - 1;
    private final int below = rank == size - 1 ? MPI.PROC_NULL : rank + 1;
    private final int own = ROWS / size;

    /** Row 0 and row own + 1 are the halo: copies of the neighbours' rows. */
    private double[][] now = new double[own + 2][COLUMNS];
    private double[][] then = new double[own + 2][COLUMNS];
    // end

    private Plate() throws MPIException {
        if (rank == 0) {
            Arrays.fill(now[0], 100);
            Arrays.fill(then[0], 100);
        }
    }

    // listing step
    private void step() throws MPIException {
        MPI.COMM_WORLD.sendRecv(now[own], COLUMNS, MPI.DOUBLE, below, DOWNWARDS,
            now[0], COLUMNS, MPI.DOUBLE, above, DOWNWARDS);
        MPI.COMM_WORLD.sendRecv(now[1], COLUMNS, MPI.DOUBLE, above, UPWARDS,
            now[own + 1], COLUMNS, MPI.DOUBLE, below, UPWARDS);
        for (int row = 1; row <= own; row++) {
            relax(row);
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
    // end

    // listing main
    public static void main(String[] args) throws MPIException, InterruptedException {
        args = MPI.Init(args);
        Plate plate = new Plate();
        int[] slow = {args.length > 0 ? new Random().nextInt(plate.size) : -1};
        MPI.COMM_WORLD.bcast(slow, 1, MPI.INT, 0);
        for (int i = 0; i < 500; i++) {
            plate.step();
            if (plate.rank == slow[0]) {
                Thread.sleep(2);
            }
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
    // end
}

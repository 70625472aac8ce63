package org.brigade.examples.tutorial;

import java.util.Arrays;
import mpi.MPI;
import mpi.MPIException;

/** Collective calls of docs/tutorial.md: mean and deviation of numbers that rank 0 shares out. */
public final class MeanAndDeviation {
    private MeanAndDeviation() {
    }

    // listing main
    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();

        int[] each = new int[1];
        double[] all = null;
        if (rank == 0) {
            each[0] = 1000;
            all = new double[size * each[0]];
            Arrays.setAll(all, i -> i);
        }
        MPI.COMM_WORLD.bcast(each, 1, MPI.INT, 0);
        double[] mine = new double[each[0]];
        MPI.COMM_WORLD.scatter(all, each[0], MPI.DOUBLE, mine, each[0], MPI.DOUBLE, 0);

        double[] mean = {Arrays.stream(mine).sum() / (size * each[0])};
        MPI.COMM_WORLD.allReduce(mean, 1, MPI.DOUBLE, MPI.SUM);

        double[] squares = {Arrays.stream(mine).map(x -> (x - mean[0]) * (x - mean[0])).sum()};
        double[] sum = new double[1];
        double[] ofRanks = new double[size];
        MPI.COMM_WORLD.reduce(squares, sum, 1, MPI.DOUBLE, MPI.SUM, 0);
        MPI.COMM_WORLD.gather(squares, 1, MPI.DOUBLE, ofRanks, 1, MPI.DOUBLE, 0);
        if (rank == 0) {
            System.out.printf("mean %.1f, deviation %.1f%n", mean[0], Math.sqrt(sum[0] / (size * each[0])));
            System.out.println("squares of rank 0 to " + (size - 1) + ": " + Arrays.toString(ofRanks));
        }
        MPI.Finalize();
    }
    // end
}

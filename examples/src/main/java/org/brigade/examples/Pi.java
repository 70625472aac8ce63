package org.brigade.examples;

import mpi.MPI;
import mpi.MPIException;

/**
 * Pi as the integral of 4 / (1 + x^2) from 0 to 1 by the midpoint rule, the intervals dealt out to the ranks: an
 * allreduce in the camel (Open MPI) dialect.
 *
 * <p>
 * {@code mpjrun -np 4 -cp examples/target/classes org.brigade.examples.Pi [intervals]}
 */
public final class Pi {
    private Pi() {
    }

    public static void main(String[] args) throws MPIException {
        args = MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        int[] intervals = {args.length > 0 ? Integer.parseInt(args[0]) : 10_000_000};
        MPI.COMM_WORLD.bcast(intervals, 1, MPI.INT, 0);

        double width = 1.0 / intervals[0];
        double sum = 0;
        for (int i = rank; i < intervals[0]; i += size) {
            double x = (i + 0.5) * width;
            sum += 4 / (1 + x * x);
        }
        double[] pi = {sum * width};
        MPI.COMM_WORLD.allReduce(pi, 1, MPI.DOUBLE, MPI.SUM);
        if (rank == 0) {
            System.out.printf("pi is about %.12f, off by %.1e%n", pi[0], Math.abs(pi[0] - Math.PI));
        }
        MPI.Finalize();
    }
}

import mpi.MPI;
import mpi.MPIException;

/** Adds up the ranks' numbers, in the dialect of mpiJava and MPJ Express. */
public class CapitalSum {
    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        double[] mine = {MPI.COMM_WORLD.Rank()};
        double[] sum = new double[1];
        MPI.COMM_WORLD.Allreduce(mine, 0, sum, 0, 1, MPI.DOUBLE, MPI.SUM);
        System.out.println("sum " + sum[0]);
        MPI.Finalize();
    }
}

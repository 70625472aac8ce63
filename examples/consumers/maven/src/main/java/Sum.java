import mpi.MPI;
import mpi.MPIException;

/** Adds up the ranks' numbers, in Open MPI's dialect. */
public class Sum {
    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        double[] mine = {MPI.COMM_WORLD.getRank()};
        double[] sum = new double[1];
        MPI.COMM_WORLD.allReduce(mine, sum, 1, MPI.DOUBLE, MPI.SUM);
        System.out.println("sum " + sum[0]);
        MPI.Finalize();
    }
}

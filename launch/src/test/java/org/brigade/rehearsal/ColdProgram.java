package org.brigade.rehearsal;

import java.nio.DoubleBuffer;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/** What ported programs do: the usual calls of both dialects, with small and with large messages. */
public final class ColdProgram {
    private ColdProgram() {
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        for (int count : new int[] {3, 1_000, 60_000}) {
            double[] mine = new double[count];
            double[] sum = new double[count];
            DoubleBuffer direct = MPI.newDoubleBuffer(count);
            mine[count - 1] = 1 + rank;
            MPI.COMM_WORLD.allReduce(mine, sum, count, MPI.DOUBLE, MPI.SUM);
            MPI.COMM_WORLD.Allreduce(sum, 0, mine, 0, count, MPI.DOUBLE, MPI.MAX);
            MPI.COMM_WORLD.bcast(direct, count, MPI.DOUBLE, 1);
            MPI.COMM_WORLD.iAllReduce(direct, MPI.newDoubleBuffer(count), count, MPI.DOUBLE, MPI.SUM).waitFor();
            Request receiving = MPI.COMM_WORLD.Irecv(sum, 0, count, MPI.DOUBLE, 1 - rank, 0);
            MPI.COMM_WORLD.send(mine, count, MPI.DOUBLE, 1 - rank, 0);
            receiving.Wait();
            if (sum[count - 1] != 3) {
                throw new IllegalStateException(count + " elements end with " + sum[count - 1] + " instead of 3");
            }
        }
        MPI.Finalize();
    }
}

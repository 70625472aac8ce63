package org.brigade.examples;

import mpi.MPI;

/**
 * A token goes round the ranks and every rank adds its number to it: point-to-point in the capital (mpiJava, MPJ)
 * dialect.
 *
 * <p>
 * {@code mpjrun -np 4 -cp examples/target/classes org.brigade.examples.TokenRing}
 */
public final class TokenRing {
    private static final int TAG = 7;

    private TokenRing() {
    }

    public static void main(String[] args) {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int next = (rank + 1) % size;
        int previous = (rank + size - 1) % size;
        int[] token = {0};
        if (rank == 0) {
            MPI.COMM_WORLD.Sendrecv_replace(token, 0, 1, MPI.INT, next, TAG, previous, TAG);
            System.out.println("The token has passed " + size + " ranks and is " + token[0]);
        } else {
            MPI.COMM_WORLD.Recv(token, 0, 1, MPI.INT, previous, TAG);
            token[0] += rank;
            MPI.COMM_WORLD.Send(token, 0, 1, MPI.INT, next, TAG);
        }
        MPI.Finalize();
    }
}

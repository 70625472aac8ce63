package org.brigade.examples;

import java.nio.ByteBuffer;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.UserFunction;
import mpi.User_function;

/**
 * An operation of one's own that does not commute, in both dialects: each rank has a map x -> a x + b, and the scan
 * composes those of the ranks up to this one, lowest rank first.
 *
 * <p>
 * {@code mpjrun -np 4 -cp examples/target/classes org.brigade.examples.AffineMaps}
 */
public final class AffineMaps {
    private AffineMaps() {
    }

    /** The camel dialect's form, for direct buffers; an item is a pair of ints. */
    private static final class OfBuffers extends UserFunction {
        @Override
        public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {
            for (int at = 0; at < count * 2 * Integer.BYTES; at += 2 * Integer.BYTES) {
                int a = inOut.getInt(at) * in.getInt(at);
                int b = inOut.getInt(at) * in.getInt(at + 4) + inOut.getInt(at + 4);
                inOut.putInt(at, a).putInt(at + 4, b);
            }
        }
    }

    /** The capital dialect's form, for arrays with offsets. */
    private static final class OfArrays extends User_function {
        @Override
        public void Call(Object in, int inOffset, Object inOut, int inOutOffset, int count, Datatype type) {
            int[] first = (int[]) in;
            int[] second = (int[]) inOut;
            for (int i = 0; i < 2 * count; i += 2) {
                int a = second[inOutOffset + i] * first[inOffset + i];
                int b = second[inOutOffset + i] * first[inOffset + i + 1] + second[inOutOffset + i + 1];
                second[inOutOffset + i] = a;
                second[inOutOffset + i + 1] = b;
            }
        }
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int[] own = {rank % 3 + 1, rank};
        int[] camel = new int[2];
        int[] capital = new int[2];

        Op ofBuffers = new Op(new OfBuffers(), false);
        MPI.COMM_WORLD.scan(own, camel, 1, MPI.INT2, ofBuffers);
        ofBuffers.free();

        Op ofArrays = new Op(new OfArrays(), false);
        MPI.COMM_WORLD.Scan(own, 0, capital, 0, 1, MPI.INT2, ofArrays);
        ofArrays.free();

        int a = 1;
        int b = 0;
        for (int i = 0; i <= rank; i++) {
            a *= i % 3 + 1;
            b = b * (i % 3 + 1) + i;
        }
        boolean right = camel[0] == a && camel[1] == b && capital[0] == a && capital[1] == b;
        int[] wrong = {right ? 0 : 1};
        MPI.COMM_WORLD.allReduce(wrong, 1, MPI.INT, MPI.SUM);
        if (rank == MPI.COMM_WORLD.getSize() - 1) {
            System.out.println(
                "All maps composed: x -> " + capital[0] + " x + " + capital[1] + ", wrong on " + wrong[0] + " ranks");
        }
        MPI.Finalize();
    }
}

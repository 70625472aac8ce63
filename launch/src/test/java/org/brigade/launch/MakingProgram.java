package org.brigade.launch;

import mpi.File;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Win;

/** Makes windows without end; holds a file with a shared pointer, a long allreduce's buffer and a window. */
final class MakingProgram {
    private static final int BYTES = 32 << 20;

    private MakingProgram() {
    }

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        File file = new File(world, args[0], MPI.MODE_CREATE | MPI.MODE_RDWR, MPI.INFO_NULL);
        file.writeShared(new byte[8], 8, MPI.BYTE);
        Win held = new Win(BYTES, 1, MPI.INFO_NULL, world, MPI.newByteBuffer(0), Win.FLAVOR_SHARED);
        held.fence(0);
        double[] sums = new double[1 << 17];
        world.allReduce(sums, sums.length, MPI.DOUBLE, MPI.SUM);
        System.out.println("making");
        while (true) {
            new Win(BYTES, 1, MPI.INFO_NULL, world, MPI.newByteBuffer(0), Win.FLAVOR_SHARED).free();
        }
    }
}

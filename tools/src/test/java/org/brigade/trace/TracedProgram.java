package org.brigade.trace;

import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Win;

/** A bit of everything, on three ranks; rank 1 comes 300 ms late to an allreduce. */
public final class TracedProgram {
    private TracedProgram() {
    }

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        byte[] large = new byte[1 << 20];
        world.bcast(large, large.length, MPI.BYTE, 2);
        int[] word = {rank};
        if (rank == 0) {
            world.send(word, 1, MPI.INT, 2, 9);
        } else if (rank == 2) {
            world.recv(word, 1, MPI.INT, 0, 9);
        }
        if (rank == 1) {
            Thread.sleep(300);
        }
        world.allReduce(word, 1, MPI.INT, MPI.SUM);
        Intracomm pair = world.split(rank == 1 ? MPI.UNDEFINED : 0, rank);
        if (rank != 1) {
            pair.iBarrier().waitFor();
        }
        Win window = new Win(ByteBuffer.allocateDirect(8), 8, 1, MPI.INFO_NULL, world);
        window.fence(0);
        window.free();
        MPI.Finalize();
    }
}

package org.brigade.cli.bench.families;

import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Win;

/** Rank 0 adds longs to rank 1's memory, each time to the end. */
final class Accumulate implements FamilyCall {
    private final int rank;
    private final int longs;
    private final ByteBuffer origin;
    private final Win win;

    Accumulate(Intracomm world, int bytes) throws MPIException {
        rank = world.getRank();
        longs = Math.max(1, bytes / Long.BYTES);
        origin = MPI.newByteBuffer(bytes());
        win = new Win(MPI.newByteBuffer(bytes()), bytes(), 1, MPI.INFO_NULL, world);
        if (rank == 0) {
            win.lock(MPI.LOCK_SHARED, 1, 0);
        }
    }

    @Override
    public int bytes() {
        return longs * Long.BYTES;
    }

    @Override
    public void call() throws MPIException {
        if (rank == 0) {
            win.accumulate(origin, longs, MPI.LONG, 1, 0, longs, MPI.LONG, MPI.SUM);
            win.flush(1);
        }
    }

    @Override
    public void close() throws MPIException {
        if (rank == 0) {
            win.unlock(1);
        }
        win.free();
    }
}

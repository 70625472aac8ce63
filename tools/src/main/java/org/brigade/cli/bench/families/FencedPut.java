package org.brigade.cli.bench.families;

import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Win;

/** Each rank writes its right neighbour's memory between two fences. */
final class FencedPut implements FamilyCall {
    private final int right;
    private final int bytes;
    private final ByteBuffer origin;
    private final Win win;

    FencedPut(Intracomm world, int bytes) throws MPIException {
        right = (world.getRank() + 1) % world.getSize();
        this.bytes = Math.max(1, bytes);
        origin = MPI.newByteBuffer(this.bytes);
        win = new Win(MPI.newByteBuffer(this.bytes), this.bytes, 1, MPI.INFO_NULL, world);
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public void call() throws MPIException {
        win.fence(0);
        win.put(origin, bytes, MPI.BYTE, right, 0, bytes, MPI.BYTE);
        win.fence(0);
    }

    @Override
    public void close() throws MPIException {
        win.free();
    }
}

package org.brigade.cli.bench.families;

import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Win;

/** A window is made on memory that is there, fenced twice and freed. */
final class WindowMaking implements FamilyCall {
    private final Intracomm world;
    private final ByteBuffer memory;

    WindowMaking(Intracomm world, int bytes) throws MPIException {
        this.world = world;
        memory = MPI.newByteBuffer(Math.max(1, bytes));
    }

    @Override
    public int bytes() {
        return memory.capacity();
    }

    @Override
    public void call() throws MPIException {
        Win win = new Win(memory, memory.capacity(), 1, MPI.INFO_NULL, world);
        win.fence(0);
        win.fence(0);
        win.free();
    }
}

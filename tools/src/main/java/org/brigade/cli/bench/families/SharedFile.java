package org.brigade.cli.bench.families;

import java.nio.ByteBuffer;
import mpi.File;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * Calls on one file of all ranks in the folder for temporary files, {@code TMPDIR} or /tmp. All parts are written once
 * before, so that the page cache has them.
 */
abstract class SharedFile implements FamilyCall {
    /** Bytes of a piece of interleaved parts. */
    static final int PIECE = 4096;

    final int rank;
    final int ranks;
    final int bytes;
    final ByteBuffer memory;
    final File file;

    SharedFile(Intracomm world, int bytes) throws MPIException {
        rank = world.getRank();
        ranks = world.getSize();
        this.bytes = bytes < PIECE ? Math.max(1, bytes) : bytes / PIECE * PIECE;
        memory = MPI.newByteBuffer(this.bytes);
        long[] number = {ProcessHandle.current().pid()};
        world.bcast(number, 1, MPI.LONG, 0);
        String folder = System.getenv("TMPDIR") == null ? "/tmp" : System.getenv("TMPDIR");
        file = new File(world, folder + "/brigade-bench-" + number[0] + ".data",
            MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE);
        file.writeAtAll((long) rank * this.bytes, memory, this.bytes, MPI.BYTE);
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public void close() throws MPIException {
        file.close();
    }
}

package org.brigade.cli.bench.families;

import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Ranks own pieces of a file in turn, and each writes its own, one call for each. */
final class IndependentFile extends SharedFile {
    private final int piece = Math.min(PIECE, bytes);
    private final ByteBuffer[] pieces = new ByteBuffer[bytes / piece];

    IndependentFile(Intracomm world, int bytes) throws MPIException {
        super(world, bytes);
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = MPI.slice(memory, i * piece);
        }
    }

    @Override
    public void call() throws MPIException {
        for (int i = 0; i < pieces.length; i++) {
            file.writeAt(((long) i * ranks + rank) * piece, pieces[i], piece, MPI.BYTE);
        }
    }
}

package org.brigade.cli.bench.families;

import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Ranks own pieces of a file in turn, and write or read all of them in one collective call. */
final class PiecewiseFile extends SharedFile {
    private final boolean writes;
    private final Datatype pieces;

    PiecewiseFile(Intracomm world, int bytes, boolean writes) throws MPIException {
        super(world, bytes);
        this.writes = writes;
        int piece = Math.min(PIECE, this.bytes);
        pieces = Datatype.createVector(this.bytes / piece, piece, piece * ranks, MPI.BYTE);
        pieces.commit();
        file.setView((long) rank * piece, MPI.BYTE, pieces, "native", MPI.INFO_NULL);
    }

    @Override
    public void prepare() throws MPIException {
        file.seek(0, MPI.SEEK_SET);
    }

    @Override
    public void call() throws MPIException {
        if (writes) {
            file.writeAll(memory, bytes, MPI.BYTE);
        } else {
            file.readAll(memory, bytes, MPI.BYTE);
        }
    }

    @Override
    public void close() throws MPIException {
        super.close();
        pieces.free();
    }
}

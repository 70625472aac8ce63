package org.brigade.cli.bench.families;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Each rank writes or reads its part of a file, all in one collective call. */
final class ContiguousFile extends SharedFile {
    private final boolean writes;

    ContiguousFile(Intracomm world, int bytes, boolean writes) throws MPIException {
        super(world, bytes);
        this.writes = writes;
    }

    @Override
    public void call() throws MPIException {
        if (writes) {
            file.writeAtAll((long) rank * bytes, memory, bytes, MPI.BYTE);
        } else {
            file.readAtAll((long) rank * bytes, memory, bytes, MPI.BYTE);
        }
    }
}

package org.brigade.cli.bench.families;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** A serializable object from rank 0 to all. */
final class ObjectBcast implements FamilyCall {
    private final Intracomm world;
    private final int doubles;
    private final Object[] objects;

    ObjectBcast(Intracomm world, int bytes) {
        this.world = world;
        doubles = Math.max(1, bytes / Double.BYTES);
        objects = SampleObject.of(doubles);
    }

    @Override
    public int bytes() {
        return doubles * Double.BYTES;
    }

    @Override
    public void call() throws MPIException {
        world.Bcast(objects, 0, 1, MPI.OBJECT, 0);
    }
}

package org.brigade.cli.bench.families;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** A serializable object, there and back between ranks 0 and 1. */
final class ObjectExchange implements FamilyCall {
    private static final int TAG = 1;

    private final Intracomm world;
    private final int rank;
    private final int doubles;
    private final Object[] sent;
    private final Object[] received = new Object[1];

    ObjectExchange(Intracomm world, int bytes) throws MPIException {
        this.world = world;
        rank = world.getRank();
        doubles = Math.max(1, bytes / Double.BYTES);
        sent = SampleObject.of(doubles);
    }

    @Override
    public int bytes() {
        return doubles * Double.BYTES;
    }

    @Override
    public void call() throws MPIException {
        if (rank == 0) {
            world.Send(sent, 0, 1, MPI.OBJECT, 1, TAG);
            world.Recv(received, 0, 1, MPI.OBJECT, 1, TAG);
        } else if (rank == 1) {
            world.Recv(received, 0, 1, MPI.OBJECT, 0, TAG);
            world.Send(sent, 0, 1, MPI.OBJECT, 0, TAG);
        }
    }
}

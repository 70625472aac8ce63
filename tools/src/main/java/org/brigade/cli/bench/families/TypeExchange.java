package org.brigade.cli.bench.families;

import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** One item of a derived type, there and back between ranks 0 and 1. */
final class TypeExchange implements FamilyCall {
    private static final int TAG = 1;

    private final Intracomm world;
    private final int rank;
    private final Datatype type;
    private final Object buffer;
    private final int bytes;

    TypeExchange(Intracomm world, Layout layout, int bytes, boolean direct) throws MPIException {
        this.world = world;
        rank = world.getRank();
        int doubles = Math.max(1, bytes / Double.BYTES);
        this.bytes = layout.whole(doubles) * Double.BYTES;
        type = layout.type(doubles);
        type.commit();
        int room = layout.room(doubles);
        buffer = direct ? MPI.newDoubleBuffer(room) : new double[room];
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public void call() throws MPIException {
        if (rank == 0) {
            world.send(buffer, 1, type, 1, TAG);
            world.recv(buffer, 1, type, 1, TAG);
        } else if (rank == 1) {
            world.recv(buffer, 1, type, 0, TAG);
            world.send(buffer, 1, type, 0, TAG);
        }
    }

    @Override
    public void close() throws MPIException {
        type.free();
    }
}

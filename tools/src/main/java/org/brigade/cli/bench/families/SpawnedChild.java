package org.brigade.cli.bench.families;

import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** A process that is spawned, meets its parents and ends. */
final class SpawnedChild {
    private SpawnedChild() {
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        Intercomm parents = Intercomm.getParent();
        parents.barrier();
        parents.disconnect();
        MPI.Finalize();
    }

    /** All ranks spawn one child together, meet it and part from it. */
    record Call(Intracomm world) implements FamilyCall {
        @Override
        public void call() throws MPIException {
            Intercomm child = world.spawn(SpawnedChild.class.getName(), null, 1, MPI.INFO_NULL, 0, null);
            child.barrier();
            child.disconnect();
        }
    }
}

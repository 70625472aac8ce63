package mpi;

import mpi.front.job.Handle;

/**
 * A constant that {@link MPI} has under the same name with another type: programs of the capital dialect were compiled
 * against a {@link Comm} called COMM_SELF, and the JVM finds a field by name and type. Java source sees the one in MPI.
 */
public abstract class MpjConstants {
    /** The same as {@link MPI#COMM_SELF}. */
    public static final Comm COMM_SELF = new Intracomm(Handle.SELF);

    MpjConstants() {
    }
}

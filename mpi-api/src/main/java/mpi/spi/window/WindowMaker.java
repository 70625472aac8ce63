package mpi.spi.window;

/** A communicator on which windows can be made. */
public interface WindowMaker {
    /**
     * Makes a window of the communicator's members; collective. The window has messages of its own, and may outlive the
     * communicator.
     *
     * @param buffer this rank's memory, for {@link WindowKind#CREATED}; else null
     * @param bytes of this rank's memory
     * @param unit bytes by which other ranks count displacements in this rank's memory
     * @param locks whether locks may be taken
     * @param name for messages
     * @param wrong the MPIException by which this rank refuses its arguments; all ranks then fail. Null if they are
     * fine
     */
    WindowEnd window(WindowKind kind, Object buffer, long bytes, int unit, boolean locks, String name,
        RuntimeException wrong);
}

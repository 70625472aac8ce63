package mpi.spi.window;

/** A communicator on which windows can be made. */
public interface WindowMaker {
    /**
     * Makes a window; collective. The communicator serves nothing else from then on, and is freed after the window.
     *
     * @param buffer this rank's memory, for {@link WindowKind#CREATED}; else null
     * @param bytes of this rank's memory
     * @param unit bytes by which other ranks count displacements in this rank's memory
     * @param locks whether locks may be taken
     * @param wrong the MPIException by which this rank refuses its arguments; all ranks then fail. Null if they are
     * fine
     */
    WindowEnd window(WindowKind kind, Object buffer, long bytes, int unit, boolean locks, RuntimeException wrong);
}

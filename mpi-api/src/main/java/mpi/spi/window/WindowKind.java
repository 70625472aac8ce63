package mpi.spi.window;

/** Where the memory of a window comes from. */
public enum WindowKind {
    /** The caller's buffer. */
    CREATED,
    /** Made with the window. */
    ALLOCATED,
    /** Made with the window; every rank can reach all of it ({@link WindowEnd#memory}). */
    SHARED,
    /** Buffers that each rank attaches and detaches. */
    DYNAMIC
}

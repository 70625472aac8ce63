package mpi.spi;

/** Where the memory of a window comes from. */
public enum WindowKind {
    /** The caller's buffer. */
    CREATED,
    /** Made with the window. */
    ALLOCATED,
    /** Made with the window; every rank can reach all of it ({@link Window#memory}). */
    SHARED,
    /** Buffers that each rank attaches and detaches. */
    DYNAMIC
}

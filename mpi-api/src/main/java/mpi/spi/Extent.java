package mpi.spi;

/** How a role of a collective divides its buffer into blocks. */
public enum Extent {
    /** The role is not used. */
    NONE,
    /** One vector, which the algorithm cuts into as many nearly equal, consecutive blocks as it likes. */
    VECTOR,
    /** A block for every rank, in rank order. */
    EACH,
    /** The calling rank's block (as long as that rank's block in a role with {@link #EACH}); its index is 0. */
    OWN,
    /** A block for every edge of the rank: to send, for those out of it; to receive, for those into it. */
    EDGES
}

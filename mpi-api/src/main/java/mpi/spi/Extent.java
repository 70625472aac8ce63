package mpi.spi;

/** How the bytes behind a role of a collective are divided into blocks. */
public enum Extent {
    /** The role is not used. */
    NONE,
    /** One vector, cut by the algorithm into as many nearly equal, consecutive blocks as it likes. */
    VECTOR,
    /** A block for every rank, in rank order. */
    EACH,
    /**
     * The one block of the calling rank (as long as that rank's block where another role has {@link #EACH}); its index
     * is 0.
     */
    OWN
}

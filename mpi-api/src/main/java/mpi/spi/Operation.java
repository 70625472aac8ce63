package mpi.spi;

/** A nonblocking operation under way. It holds the caller's buffers until it is complete. */
public interface Operation {
    /** Makes progress; true once the operation is complete. Throws the MPIException of a failed operation, once. */
    boolean test();

    /**
     * Whether the operation is complete and has not failed. Cheap: makes no progress and takes no lock. False says
     * nothing: then {@link #test} knows.
     */
    default boolean hasSucceeded() {
        return false;
    }

    /** Waits until the operation is complete. Throws as {@link #test} does. */
    void await();

    /** Asks to cancel: succeeds for receives without a matching message, does nothing otherwise. */
    void cancel();

    /**
     * Fills in the result of a complete operation; an empty envelope (any source, any tag, 0 bytes) for sends and
     * collectives.
     */
    void describe(Envelope envelope);
}

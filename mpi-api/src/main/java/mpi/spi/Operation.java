package mpi.spi;

/** A nonblocking operation under way. It holds the caller's buffers until it is complete. */
public interface Operation {
    /**
     * Makes progress; true once the operation is complete. Throws the MPIException of an operation that failed, once.
     */
    boolean test();

    /** Waits until the operation is complete. Throws as {@link #test} does. */
    void await();

    /** Asks for cancellation: honoured for receives that have not matched, ignored otherwise. */
    void cancel();

    /**
     * Fills in what a completed operation learned; an empty envelope (any source, any tag, 0 bytes) for sends and
     * collectives.
     */
    void describe(Envelope envelope);
}

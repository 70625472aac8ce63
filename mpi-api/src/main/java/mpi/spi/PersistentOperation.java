package mpi.spi;

/**
 * An operation that can be started again and again with the same arguments. It keeps the caller's buffers from the call
 * that makes it until it is freed. Between its starts it is complete.
 */
public interface PersistentOperation extends Operation {
    /**
     * Starts it. It must be complete: package mpi sees to that. Never waits for another rank.
     *
     * @throws RuntimeException if it cannot start; then it is still complete
     */
    void start();

    /** It is not started again. If it is under way, it completes. */
    void free();
}

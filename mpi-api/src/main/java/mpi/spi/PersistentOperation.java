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

    /**
     * A message in equal partitions that is started again and again. The sender's and the receiver's partitions may
     * differ in number; their bytes add up to the same.
     */
    interface InPartitions extends PersistentOperation {
        /**
         * Of a send: these partitions may be read from now on. Any thread may call it, also while others wait.
         *
         * @param first the first of them; package mpi has checked the range
         * @param last the last of them
         * @param call the user's call, for messages
         * @throws RuntimeException ERR_REQUEST if the send has not been started, or one of the partitions is ready
         * already; then none of them has become ready
         */
        void ready(int first, int last, String call);

        /** Of a receive: whether all bytes of this partition have arrived. True between the starts. */
        boolean arrived(int partition);
    }
}

package mpi.spi;

/**
 * A message in equal partitions that is started again and again. The sender's and the receiver's partitions may differ
 * in number; their bytes add up to the same.
 */
public interface PartitionedOperation extends PersistentOperation {
    /**
     * Of a send: these partitions may be read from now on. Any thread may call it, also while others wait.
     *
     * @param first the first of them; package mpi has checked the range
     * @param last the last of them
     * @param call the user's call, for messages
     * @throws RuntimeException ERR_REQUEST if the send has not been started, or one of the partitions is ready already;
     * then none of them has become ready
     */
    void ready(int first, int last, String call);

    /** Of a receive: whether all bytes of this partition have arrived. True between the starts. */
    boolean arrived(int partition);
}

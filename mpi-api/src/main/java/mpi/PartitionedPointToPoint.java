package mpi;

/**
 * Messages in partitions (MPI 4, chapter 4), in both dialects; {@link Comm} inherits them. The parts of one buffer
 * become ready one by one, possibly in several threads, and each may travel before the others are ready.
 *
 * <p>
 * A send in partitions goes to a receive in partitions, never to another receive. The first such send to a rank with a
 * tag belongs to the first such receive from that rank with that tag, the second to the second; the order of
 * preparation counts. The partitions of both sides may differ in number and size, but their bytes add up to the same.
 * Every start of the send needs one of the receive.
 *
 * <p>
 * Preparing, starting and marking never wait for another rank. The last parameter, {@code info}, holds hints. None is
 * used; null and {@link MPI#INFO_NULL} are fine. Objects ({@link MPI#OBJECT}) cannot be sent so.
 */
public abstract class PartitionedPointToPoint extends PointToPoint {
    PartitionedPointToPoint(Handle handle) {
        super(handle);
    }

    /**
     * Prepares a send in partitions, for many {@linkplain Prequest#start starts} (MPI_Psend_init). After a start, each
     * partition is sent once {@link PartitionedRequest#pReady} has marked it. A wait ends once all have been sent.
     *
     * @param buf {@code partitions} times {@code count} items, partition behind partition
     * @param partitions 0 or more
     * @param count items of {@code type} in a partition, 0 or more
     * @param type type of one item
     * @param dest rank of the receiver, or {@link MPI#PROC_NULL}
     * @param tag number that the receiver names too, 0 or more
     * @param info hints, or null
     * @return an inactive request; free it after its last use
     * @throws MPIException ERR_ARG if {@code partitions} is negative; else as {@link #send}
     */
    public final PartitionedRequest pSendInit(Object buf, int partitions, int count, Datatype type, int dest, int tag,
        Info info) throws MPIException {
        return messages.partitionedSendInit("pSendInit", buf, 0, partitions, count, type, dest, tag);
    }

    /**
     * Prepares a receive in partitions (MPI_Precv_init). After a start, {@link PartitionedRequest#pArrived} tells which
     * partitions have arrived. If the sender's bytes do not add up to the same, the wait throws ERR_TRUNCATE or, if
     * they are fewer, ERR_COUNT, and the sender does not notice.
     *
     * @param buf room for {@code partitions} times {@code count} items
     * @param partitions 0 or more; the sender may have another number
     * @param count items of {@code type} in a partition, 0 or more
     * @param type type of one item
     * @param source rank of the sender, or {@link MPI#PROC_NULL}; not {@link MPI#ANY_SOURCE}
     * @param tag number that the sender names too; not {@link MPI#ANY_TAG}
     * @param info hints, or null
     * @return an inactive request; free it after its last use
     * @throws MPIException ERR_ARG if {@code partitions} is negative; ERR_RANK or ERR_TAG for ANY_SOURCE and ANY_TAG;
     * else as {@link #recv}
     */
    public final PartitionedRequest pRecvInit(Object buf, int partitions, int count, Datatype type, int source,
        int tag, Info info) throws MPIException {
        return messages.partitionedRecvInit("pRecvInit", buf, 0, partitions, count, type, source, tag);
    }

    /** As {@link #pSendInit}, with an offset (MPI_Psend_init). */
    public PartitionedRequest Psend_init(Object buf, int offset, int partitions, int count, Datatype type, int dest,
        int tag, Info info) throws MPIException {
        return messages.partitionedSendInit("Psend_init", buf, offset, partitions, count, type, dest, tag);
    }

    /** As {@link #pRecvInit}, with an offset (MPI_Precv_init). */
    public PartitionedRequest Precv_init(Object buf, int offset, int partitions, int count, Datatype type, int source,
        int tag, Info info) throws MPIException {
        return messages.partitionedRecvInit("Precv_init", buf, offset, partitions, count, type, source, tag);
    }
}

package mpi.spi;

/**
 * One communicator. A buffer is an array of the type's kind, a direct or heap NIO buffer of any kind, or a
 * {@link DeviceBuffer}, with the offset of its first byte; counts are in items of the type.
 */
public interface Communicator {
    /** The implementation's own object: below all interposers that this communicator's calls go through. */
    default Communicator core() {
        return this;
    }

    int rank();

    int size();

    /**
     * This communicator's members: for those of this job their ranks in {@link Provider#world()}, for others higher
     * numbers, which this process gives them. The callee's own array, do not change it.
     */
    int[] members();

    /** The name to use in messages. */
    String name();

    void rename(String name);

    /**
     * Whether the loss of a member is an error of the calls that need it, and not the end of the job. Communicators
     * made from this one begin with what it has.
     */
    void returnErrors(boolean wish);

    /**
     * Reports a collective call of this rank that was refused because its arguments are wrong, so that ranks that wait
     * for this one hear of it where calls are compared.
     *
     * @param why the MPIException that the call throws; this package does not know that class
     */
    void refused(String call, RuntimeException why);

    /** A call of this rank's has thrown before it began: for those who look at the ranks' last calls. */
    default void threw(String call) {
    }

    // ---- point to point ----

    /** Destination is never {@code MPI.PROC_NULL} here: package mpi handles it. */
    void send(Object buffer, long offset, int count, TypeLayout type, int destination, int tag, SendMode mode);

    Operation isend(Object buffer, long offset, int count, TypeLayout type, int destination, int tag, SendMode mode);

    /**
     * Source may be -1 for any; tag may be -1 for any. Fills in the envelope.
     *
     * @param call the user's call, for messages
     */
    void recv(Object buffer, long offset, int count, TypeLayout type, int source, int tag, Envelope envelope,
        String call);

    /** As above, for callers other than the user's calls. */
    default void recv(Object buffer, long offset, int count, TypeLayout type, int source, int tag, Envelope envelope) {
        recv(buffer, offset, count, type, source, tag, envelope, "recv");
    }

    /** As {@link #recv}, without waiting. */
    Operation irecv(Object buffer, long offset, int count, TypeLayout type, int source, int tag, String call);

    /** As above, for callers other than the user's calls. */
    default Operation irecv(Object buffer, long offset, int count, TypeLayout type, int source, int tag) {
        return irecv(buffer, offset, count, type, source, tag, "iRecv");
    }

    /** Looks for a message to receive; if there is one, returns true and fills in the envelope. */
    boolean iprobe(int source, int tag, Envelope envelope);

    /** Waits for a message to receive. */
    void probe(int source, int tag, Envelope envelope);

    /** As {@link #iprobe}, and takes the message, so that no other call finds or receives it; null if there is none. */
    MatchedMessage improbe(int source, int tag, Envelope envelope);

    /** As {@link #probe}, and takes the message, so that no other call finds or receives it. */
    MatchedMessage mprobe(int source, int tag, Envelope envelope);

    /** What {@link #isend} does, at every start. */
    PersistentOperation sendInit(Object buffer, long offset, int count, TypeLayout type, int destination, int tag,
        SendMode mode);

    /** What {@link #irecv} does, at every start. */
    PersistentOperation recvInit(Object buffer, long offset, int count, TypeLayout type, int source, int tag,
        String call);

    /**
     * Prepares a send in partitions. It goes to a receive of {@link #partitionedRecvInit}, in the order in which both
     * sides prepare theirs.
     *
     * @param bytes of a partition
     */
    PersistentOperation.InPartitions partitionedSendInit(Object buffer, long offset, int partitions, long bytes,
        int destination,
        int tag, String call);

    /** Prepares the receive of a {@link #partitionedSendInit}; neither source nor tag may be -1. */
    PersistentOperation.InPartitions partitionedRecvInit(Object buffer, long offset, int partitions, long bytes,
        int source,
        int tag, String call);

    // ---- collectives ----

    /**
     * Starts a collective call of this rank, whose arguments have been checked.
     *
     * @return null if it was blocking, and is complete; else the operation under way
     */
    Operation start(Call call);

    /**
     * Prepares a nonblocking call, to be started as often as wanted. All ranks prepare the same call at the same place
     * among their collective calls. They may start prepared calls in any order.
     */
    PersistentOperation prepare(Call call);

    // ---- making and ending communicators; all but createGroup are collective over this communicator ----

    /** A communicator of the same members in the same order, with its own messages. */
    Communicator duplicate();

    /**
     * As {@link #duplicate}, without waiting for the others: {@code result[0]} is the new communicator once the
     * operation is complete.
     */
    Operation iduplicate(Communicator[] result);

    /** Members of one colour, by key then rank; null for a negative colour (MPI.UNDEFINED). */
    Communicator split(int colour, int key);

    /**
     * Members that share memory, by key then rank. A member that stays out calls {@link #split} with a negative colour
     * at the same time.
     */
    Communicator splitShared(int key);

    /** A communicator of these ranks, in this order; null on other ranks. */
    Communicator create(int[] ranks);

    /**
     * Makes an inter-communicator between this communicator's group and another one. All members of both groups call
     * it.
     *
     * @param call the user's call, for messages
     * @param leader rank here of the member that speaks to the other group's leader
     * @param peer a communicator of both leaders; null on other ranks, and if {@code wrong} is not null
     * @param remoteLeader rank of the other leader, as calls on {@code peer} name it
     * @param wrong the MPIException by which this rank refuses its arguments; all members then fail. Null if they are
     * fine
     */
    InterCommunicator connect(String call, int leader, Communicator peer, int remoteLeader, int tag,
        RuntimeException wrong);

    /**
     * Makes an inter-communicator with a group of another job, or of this one. All members call it.
     *
     * @param call the user's call, for messages
     * @param port where the groups meet; read at the root only
     * @param accepts whether this group is the one that waits at the port
     * @param wrong the MPIException by which this rank refuses its arguments; all members then fail. Null if they are
     * fine
     */
    InterCommunicator meet(String call, String port, boolean accepts, int root, RuntimeException wrong);

    /**
     * Starts processes, and makes an inter-communicator with them. All members call it.
     *
     * @param programs read at the root only
     * @param wrong as for {@link #meet}
     */
    InterCommunicator spawn(String call, SpawnCommand[] programs, int root, RuntimeException wrong);

    /** As {@link #create}, but collective over the named ranks only; the tag distinguishes simultaneous calls. */
    Communicator createGroup(int[] ranks, int tag);

    /**
     * How near the members are to each other: by level, from the innermost outwards (a shared cache, a NUMA node, a
     * node), then by rank: the number of the rank's group. Levels that do not divide the members are left out.
     *
     * @param ask true: asks the other members, which must ask in the same call. False: only nodes are known
     */
    default int[][] levels(boolean ask) {
        return new int[0][];
    }

    /** Whether this rank may have to share its processor with another rank, so that waiting for it costs a switch. */
    default boolean sharesProcessor() {
        return false;
    }

    // ---- after the loss of a member ----

    /** Makes all calls on this communicator fail, on all members. Not collective; waits for nobody. */
    void revoke();

    /** Whether a member has revoked it, as far as this rank has heard. */
    boolean isRevoked();

    /** The members that are known to be lost, as {@link #members} has them, in the order in which that was noticed. */
    int[] failed();

    /**
     * Acknowledges the first {@code count} ranks of {@link #failed}: receives from any source no longer fail because of
     * them, and {@link #agree} neither if all members have acknowledged them.
     *
     * @return how many are acknowledged now
     */
    int acknowledge(int count);

    /**
     * Agrees with all members that are left on the bitwise AND of their flags. Works on a revoked communicator.
     *
     * @param call the user's call, for messages
     * @param flag one word; the result replaces it, also if the operation ends with an error because members are lost
     */
    Operation agree(String call, int[] flag);

    /** A communicator of the members that are left, in their order. All of them call it. Works on a revoked one. */
    Communicator shrink(String call);

    /** Frees this communicator; operations under way complete. */
    void free();

    /**
     * As {@link #free}, collective over all members: after the last communicator with processes of another job, nothing
     * joins them to this process any more.
     */
    default void disconnect() {
        free();
    }
}

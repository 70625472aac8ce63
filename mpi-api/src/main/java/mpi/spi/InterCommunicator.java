package mpi.spi;

/**
 * A communicator between two groups. The members are this rank's own group; ranks in calls are those of the other
 * group.
 *
 * <p>
 * A {@link Call} has as many {@code ranks} as the other group. Its root is a rank of the other group,
 * {@code MPI.PROC_NULL} on ranks that only stand beside the root, and equal to the call's own {@code rank} at the root.
 * Of a reduce-scatter, the blocks to send are those of this rank's own group.
 */
public interface InterCommunicator extends Communicator {
    /** The other group, numbered as {@link #members}; the callee's own array, do not change it. */
    int[] remoteMembers();

    /**
     * A communicator of both groups; all ranks of both call it.
     *
     * @param high whether this rank's group comes last; the same on all its ranks. If both groups say the same, one of
     * them comes first
     */
    Communicator merge(boolean high);
}

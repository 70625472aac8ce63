package mpi.concurrent;

/** Says on which rank a task has thrown an exception: among the suppressed ones of that exception. */
public final class OnRank extends Exception {
    private static final long serialVersionUID = 1;

    private final int rank;

    OnRank(int rank, int size) {
        super("thrown by a task on rank " + rank + " of " + size, null, false, false);
        this.rank = rank;
    }

    /** The rank in the communicator that {@link MpiExecutor#over} was given. */
    public int rank() {
        return rank;
    }
}

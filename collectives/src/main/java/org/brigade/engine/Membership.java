package org.brigade.engine;

import mpi.ErrorClass;
import mpi.MPIException;

/**
 * The members of one communicator, and what the loss of a member means to their calls: an error with MPI.ERRORS_RETURN,
 * else the end of the job. Under the progress lock.
 */
public final class Membership {
    /** This process's rank in the communicator. */
    public final int rank;
    /** Ranks of the job; read only. */
    public final int[] members;
    /** How many ranks this process's rank is one of. */
    public final int ranks;
    private String name;
    private boolean returnsErrors;

    public Membership(int rank, int[] members, String name, boolean returnsErrors) {
        this(rank, members.length, members, name, returnsErrors);
    }

    /**
     * The other group of a communicator between two groups.
     *
     * @param ranks the number of ranks in this process's group
     * @param members the other group
     */
    public Membership(int rank, int ranks, int[] members, String name, boolean returnsErrors) {
        this.rank = rank;
        this.ranks = ranks;
        this.members = members;
        this.name = name;
        this.returnsErrors = returnsErrors;
    }

    /** The first sentence about a member; null if there is none. Sentences are by rank of the job. */
    public String firstOf(String[] sentences) {
        for (int member : members) {
            if (sentences[member] != null) {
                return sentences[member];
            }
        }
        return null;
    }

    public void rename(String newName) {
        name = newName;
    }

    /** The communicator's name. */
    public String name() {
        return name;
    }

    public boolean returnsErrors() {
        return returnsErrors;
    }

    public void returnErrors(boolean wish) {
        returnsErrors = wish;
    }

    /**
     * The error of a call that a lost rank has made impossible:
     * {@code MPI_ERR_PROC_ABORTED: allreduce on rank 0 of 3 in MPI_COMM_WORLD: rank 1 (pid 4711) died; ...}.
     */
    MPIException lost(String call, String lost) {
        return ErrorClass.PROC_ABORTED.in(call, rank, ranks, name,
            lost + "; go on with a communicator of the ranks that are left (createGroup), or finalize");
    }

    /** The error of a call that received an unexpected message. */
    MPIException truncated(String call, String why) {
        return ErrorClass.TRUNCATE.in(call, rank, ranks, name,
            why + "; run with -Dbrigade.check=true to see which");
    }

    /** As above, for a message of wrong length from a rank of the communicator. */
    MPIException truncated(String call, int peer, long came, boolean more, long expected) {
        return truncated(call,
            "rank " + peer + " sent " + came + (more ? " bytes, and more, where " : " bytes where ") + expected
                + " were expected: the ranks called with different counts or types, or called different collectives");
    }

    /** The error of a call in which the user's code has thrown. */
    MPIException threw(String call, Throwable cause) {
        MPIException error = ErrorClass.OTHER.in(call, rank, ranks, name, "rank " + rank + " threw " + cause);
        error.initCause(cause);
        return error;
    }

    /** The error of a call that has failed on another member. */
    MPIException failedAt(int other, String call, ErrorClass errorClass, String cause) {
        return errorClass.in(call, rank, ranks, name,
            "the call has failed on rank " + other + ", so it fails on all ranks that have not ended it: " + cause);
    }

    /** The error of a call on a communicator that can no longer be used. */
    MPIException broken(String call, String why) {
        return ErrorClass.OTHER.in(call, rank, ranks, name, why);
    }

    /** The error of a call that waits for a rank which will never take part. */
    MPIException starved(String call, String why) {
        return ErrorClass.OTHER.in(call, rank, ranks, name, why);
    }
}

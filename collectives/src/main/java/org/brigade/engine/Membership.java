package org.brigade.engine;

import mpi.ErrorClass;
import mpi.MPIException;

/**
 * The members of one communicator as those who wait for one another, and what it means to a call of theirs that one is
 * lost: with MPI.ERRORS_RETURN an error, else the end of the job. Under the progress lock.
 */
public final class Membership {
    /** Of this process, among the members. */
    public final int rank;
    /** As ranks of the job; do not change it. */
    public final int[] members;
    private String name;
    private boolean returnsErrors;

    public Membership(int rank, int[] members, String name, boolean returnsErrors) {
        this.rank = rank;
        this.members = members;
        this.name = name;
        this.returnsErrors = returnsErrors;
    }

    /** The first sentence about a member; null if there is none. Sentences by rank of the job. */
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
        return ErrorClass.PROC_ABORTED.in(call, rank, members.length, name,
            lost + "; go on with a communicator of the ranks that are left (createGroup), or finalize");
    }

    /** The error of a call that was sent what it did not expect. */
    MPIException truncated(String call, String why) {
        return ErrorClass.TRUNCATE.in(call, rank, members.length, name,
            why + "; run with -Dbrigade.check=true to see which");
    }

    /** As above, where the length is wrong: of what a rank of the communicator has sent. */
    MPIException truncated(String call, int peer, long came, boolean more, long expected) {
        return truncated(call,
            "rank " + peer + " sent " + came + (more ? " bytes, and more, where " : " bytes where ") + expected
                + " were expected: the ranks called with different counts or types, or called different collectives");
    }

    /** The error of a call in which something of the user's has thrown. */
    MPIException threw(String call, Throwable cause) {
        MPIException error = ErrorClass.OTHER.in(call, rank, members.length, name, "rank " + rank + " threw " + cause);
        error.initCause(cause);
        return error;
    }

    /** The error of a call that has failed on another member. */
    MPIException failedAt(int other, String call, ErrorClass errorClass, String cause) {
        return errorClass.in(call, rank, members.length, name,
            "the call has failed on rank " + other + ", so it fails on all ranks that have not ended it: " + cause);
    }

    /** The error of a call on a communicator that works no more. */
    MPIException broken(String call, String why) {
        return ErrorClass.OTHER.in(call, rank, members.length, name, why);
    }

    /** The error of a call that waits for a rank which will not do its part. */
    MPIException starved(String call, String why) {
        return ErrorClass.OTHER.in(call, rank, members.length, name, why);
    }
}

package org.brigade.engine;

import java.util.Arrays;
import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.transport.Endpoint;

/**
 * The members of one communicator, and what the loss of a member means to their calls: an error with MPI.ERRORS_RETURN,
 * else the end of the job. Also whether the communicator has been revoked. Under the progress lock.
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
    private boolean revoked;
    /** Ranks here of the members that are known to be lost, in the order in which this was noticed. */
    private int[] failed = {};
    /** How many of them the program has acknowledged: receives from any source no longer wait for those. */
    private int acknowledged;

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

    // ---- lost members, and revocation ----

    /** What happened to one of the members; null if all are there. */
    String lostMember(Endpoint endpoint) {
        for (int member : members) {
            String lost = endpoint.lost(member);
            if (lost != null) {
                return lost;
            }
        }
        return null;
    }

    /** What happened to a lost member that has not been acknowledged; null if there is none. */
    String unacknowledged(Endpoint endpoint) {
        int[] known = failed(endpoint);
        return known.length == acknowledged ? null : endpoint.lost(members[known[acknowledged]]);
    }

    /**
     * Ranks here of the members that are known to be lost, in the order in which this was noticed. Do not change it.
     */
    public int[] failed(Endpoint endpoint) {
        for (int i = 0; i < members.length; i++) {
            if (endpoint.lost(members[i]) != null && !isFailed(i)) {
                failed = Arrays.copyOf(failed, failed.length + 1);
                failed[failed.length - 1] = i;
            }
        }
        return failed;
    }

    private boolean isFailed(int member) {
        for (int each : failed) {
            if (each == member) {
                return true;
            }
        }
        return false;
    }

    /** How many of the {@link #failed} members have been acknowledged: the first ones. */
    public int acknowledged() {
        return acknowledged;
    }

    /** Acknowledges at least so many of the failed members, if there are so many. */
    public void acknowledge(int count) {
        acknowledged = Math.max(acknowledged, Math.min(count, failed.length));
    }

    /** Whether calls here fail, as a member has revoked the communicator. */
    public boolean isRevoked() {
        return revoked;
    }

    void revoke() {
        revoked = true;
    }

    /** The error of a call on a revoked communicator. */
    public MPIException revoked(String call) {
        return ErrorClass.REVOKED.in(call, rank, ranks, name,
            "a rank has revoked this communicator; call shrink on it, and go on with the communicator that shrink"
                + " returns");
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
     * {@code MPI_ERR_PROC_FAILED: allreduce on rank 0 of 3 in MPI_COMM_WORLD: rank 1 (pid 4711) died; ...}.
     */
    MPIException lost(String call, String lost) {
        return ErrorClass.PROC_FAILED.in(call, rank, ranks, name,
            lost + "; go on with a communicator of the ranks that are left (revoke, shrink), or finalize");
    }

    /** The error of a receive from any source that goes on waiting as soon as the loss has been acknowledged. */
    public MPIException pending(String call, String lost) {
        return ErrorClass.PROC_FAILED_PENDING.in(call, rank, ranks, name,
            lost + ", and might have been the sender; the request is still active: acknowledge the loss (ackFailed)"
                + " and wait again, or cancel the request");
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

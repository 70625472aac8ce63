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
    /**
     * All members of the communicator: between two groups each group has a membership of its own, a part of this one.
     * Within one group, this object.
     */
    private Membership whole = this;
    /** Of a part: where its members begin among the whole's. */
    private int begin;
    /** Of a whole with parts: this rank's group, then the views of the other one. */
    private Membership[] parts = {};
    /** Whether who waits for a message of one member waits for all members: so it is in a collective. */
    private final boolean together;

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
        this(rank, ranks, members, name, returnsErrors, false);
    }

    /** @param together whether a wait for one member's message is one for all: for the messages of collectives */
    public Membership(int rank, int ranks, int[] members, String name, boolean returnsErrors, boolean together) {
        this.together = together;
        this.rank = rank;
        this.ranks = ranks;
        this.members = members;
        this.name = name;
        this.returnsErrors = returnsErrors;
    }

    /**
     * All members of a communicator between two groups. The loss of any is one of the communicator, whichever group a
     * call deals with; losses, acknowledgements and revocation are kept here for all parts.
     *
     * @param own this rank's group
     * @param first whether its members come before the other group's; the order is the same on all ranks
     * @param others views of the other group
     */
    public static Membership ofBoth(Membership own, boolean first, String name, Membership... others) {
        int[] theirs = others[0].members;
        int[] members = Arrays.copyOf(first ? own.members : theirs, own.members.length + theirs.length);
        System.arraycopy(first ? theirs : own.members, 0, members, first ? own.members.length : theirs.length,
            first ? theirs.length : own.members.length);
        Membership both =
            new Membership(first ? own.rank : theirs.length + own.rank, members, name, own.returnsErrors);
        both.parts = Arrays.copyOf(new Membership[] {own}, 1 + others.length);
        System.arraycopy(others, 0, both.parts, 1, others.length);
        for (Membership part : both.parts) {
            part.whole = both;
            part.begin = (part == own) == first ? 0 : first ? own.members.length : theirs.length;
        }
        return both;
    }

    // ---- lost members, and revocation ----

    /** What happened to one of the communicator's members; null if all are there. */
    String lostMember(Endpoint endpoint) {
        for (int member : whole.members) {
            String lost = endpoint.lost(member);
            if (lost != null) {
                return lost;
            }
        }
        return null;
    }

    /** What happened to a lost member that has not been acknowledged; null if there is none. */
    String unacknowledged(Endpoint endpoint) {
        int[] known = whole.failed(endpoint);
        for (int i = whole.acknowledged; i < known.length; i++) {
            int member = known[i] - begin;
            if (member >= 0 && member < members.length) {
                return endpoint.lost(members[member]);
            }
        }
        return null;
    }

    /**
     * What happened to a lost member, if no other one is left that may still send; else null. The rank itself does not
     * count.
     */
    String lastLost(Endpoint endpoint) {
        String last = null;
        for (int member : members) {
            String its = member == endpoint.rank() ? null : endpoint.lost(member);
            if (its == null && member != endpoint.rank() && !endpoint.isLeaving(member)) {
                return null;
            }
            last = its == null ? last : its;
        }
        return last;
    }

    /** Who it is that a wait for a message of one member waits for: all, or null if only that one. */
    public Membership together() {
        return together ? whole : null;
    }

    /** A member for people: {@code rank 1}, {@code rank 1 of the other group}. */
    public String called(int member) {
        for (Membership part : parts) {
            int its = member - part.begin;
            if (its >= 0 && its < part.members.length) {
                return "rank " + its + (part == parts[0] ? " of this group" : " of the other group");
            }
        }
        return "rank " + member;
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
        for (Membership part : parts) {
            part.revoked = true;
        }
    }

    /** An error of this rank's call. */
    public MPIException error(ErrorClass errorClass, String call, String what) {
        Membership own = parts.length == 0 ? this : parts[0];
        return errorClass.in(call, own.rank, own.ranks, whole.name, what);
    }

    /** The error of a call on a revoked communicator. */
    public MPIException revoked(String call) {
        return error(ErrorClass.REVOKED, call,
            "a rank has revoked this communicator; call shrink on it, and go on with the communicator that shrink"
                + " returns");
    }

    public void rename(String newName) {
        name = newName;
        for (Membership part : parts) {
            part.name = newName;
        }
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
        for (Membership part : parts) {
            part.returnsErrors = wish;
        }
    }

    /**
     * The error of a call that a lost rank has made impossible:
     * {@code MPI_ERR_PROC_FAILED: allreduce on rank 0 of 3 in MPI_COMM_WORLD: rank 1 (pid 4711) died; ...}.
     */
    MPIException lost(String call, String lost) {
        return error(ErrorClass.PROC_FAILED, call,
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
        return error(ErrorClass.OTHER, call, why);
    }

    /** The error of a call that waits for a rank which will never take part. */
    MPIException starved(String call, String why) {
        return error(ErrorClass.OTHER, call, why);
    }
}

package org.brigade.engine;

import mpi.MPIException;
import mpi.spi.ErrorClass;

/**
 * The members of one communicator as those who wait for one another, and what it means to a call of theirs that one is lost: with MPI.ERRORS_RETURN an error, else the end of the job. Under
 * the progress lock.
 */
public final class Party {
    /** Of this process, among the members. */
    public final int rank;
    /** As ranks of the job; do not change it. */
    public final int[] members;
    private String name;
    private boolean returnsErrors;

    public Party(int rank, int[] members, String name, boolean returnsErrors) {
        this.rank = rank;
        this.members = members;
        this.name = name;
        this.returnsErrors = returnsErrors;
    }

    /** Whether a rank of the job is a member. */
    public boolean has(int world) {
        for (int member : members) {
            if (member == world) {
                return true;
            }
        }
        return false;
    }

    /** This rank and one other member. */
    public Party pair(int other) {
        return new Party(0, new int[] {members[rank], members[other]}, name, returnsErrors);
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

    /** The error of a call that a lost rank has made impossible: {@code MPI_ERR_PROC_ABORTED: allreduce on rank 0 of 3 in MPI_COMM_WORLD: rank 1 (pid 4711) died; ...}. */
    MPIException lost(String call, String lost) {
        return ErrorClass.PROC_ABORTED.in(call, rank, members.length, name, lost + "; go on with a communicator of the ranks that are left (createGroup), or finalize");
    }

    /** The error of a call that waits for a rank which will not do its part. */
    MPIException starved(String call, String why) {
        return ErrorClass.OTHER.in(call, rank, members.length, name, why);
    }
}

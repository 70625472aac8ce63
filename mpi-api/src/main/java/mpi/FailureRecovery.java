package mpi;

import mpi.spi.Communicator;

/**
 * The calls of a communicator by which ranks go on after others have died: those of ULFM (User Level Failure
 * Mitigation), as Open MPI has them in mpi-ext.h. Set {@link MPI#ERRORS_RETURN} first; with another handler the death
 * of a rank ends the job. Then a call that needs a dead rank ends with {@link MPI#ERR_PROC_FAILED}:
 * <ul>
 * <li>a message to it or from it; messages between other ranks go on;
 * <li>a receive from {@link MPI#ANY_SOURCE}, as the dead rank might have been the sender, until {@link #ackFailed}
 * acknowledges its death. A nonblocking receive stays active then, and its wait throws
 * {@link MPI#ERR_PROC_FAILED_PENDING};
 * <li>a collective on a communicator of which it is a member; some ranks may have got their result.
 * </ul>
 *
 * <p>
 * A rank that hears of a death and leaves the usual course of the program calls {@link #revoke}, so that nobody waits
 * for it in vain. Then all ranks call {@link Intracomm#shrink} or {@link Intercomm#shrink}. On an inter-communicator
 * these calls concern the ranks of both groups.
 */
public abstract class FailureRecovery extends NeighbourCollectives {
    FailureRecovery(Handle handle) {
        super(handle);
    }

    /**
     * Makes all calls on this communicator fail with {@link MPI#ERR_REVOKED}, on all its ranks, now and later; only
     * free, getters, and the calls described here work on. One rank calls it, or several; it waits for nobody
     * (MPIX_Comm_revoke).
     */
    public final void revoke() throws MPIException {
        handle.lower("revoke").revoke();
    }

    /** Whether a rank has revoked this communicator, as far as this rank has heard (MPIX_Comm_is_revoked). */
    public final boolean isRevoked() throws MPIException {
        return handle.lower("isRevoked").isRevoked();
    }

    /**
     * The ranks that are known here to have died, in the order in which that was noticed; of an inter-communicator, in
     * both groups. Other ranks may know of fewer or more (MPIX_Comm_get_failed).
     */
    public final Group getFailed() throws MPIException {
        Communicator lower = handle.lower("getFailed");
        return new Group(lower.failed());
    }

    /**
     * Acknowledges the deaths of the first ranks of {@link #getFailed}: receives from {@link MPI#ANY_SOURCE} no longer
     * fail because of them, nor does {@link #agree} once all ranks have acknowledged them (MPIX_Comm_ack_failed).
     *
     * @param count how many, 0 or more; more than there are is all of them
     * @return how many are acknowledged now; never fewer than before
     * @throws MPIException ERR_ARG if {@code count} is negative
     */
    public final int ackFailed(int count) throws MPIException {
        Communicator lower = handle.lower("ackFailed");
        if (count < 0) {
            throw handle.error(ErrorClass.ARG, "ackFailed",
                "the count " + count + " is negative; pass 0 or more, such as the size of getFailed()");
        }
        return lower.acknowledge(count);
    }

    /**
     * Agrees on a flag with all ranks that are left, even if ranks die meanwhile, and also if this communicator has
     * been revoked. All ranks that are left call it (MPIX_Comm_agree).
     *
     * @param flag one number; the bitwise AND of all ranks' numbers replaces it, the same on all ranks
     * @throws MPIException ERR_PROC_FAILED, on all ranks or none, if a rank has died and not all ranks had acknowledged
     * that ({@link #ackFailed}); the flag is agreed on all the same. ERR_ARG if {@code flag} is null or empty.
     * ERR_OTHER if other ranks call shrink
     */
    public final void agree(int[] flag) throws MPIException {
        agreement("agree", flag).await();
    }

    /**
     * Begins what {@link #agree} does. Ranks begin several agreements in the same order (MPIX_Comm_iagree).
     *
     * @param flag as for {@link #agree}; not to be touched until the request is complete
     */
    public final Request iAgree(int[] flag) throws MPIException {
        return new Request(agreement("iAgree", flag), null);
    }

    private mpi.spi.Operation agreement(String call, int[] flag) {
        Communicator lower = handle.lower(call);
        if (flag == null || flag.length == 0) {
            throw handle.error(ErrorClass.ARG, call,
                "the flag is " + (flag == null ? "null" : "an empty array") + "; pass an array of one number");
        }
        return lower.agree(call, flag);
    }

    // ---- the capital dialect ----

    /** As {@link #revoke} (MPIX_Comm_revoke). */
    public final void Revoke() throws MPIException {
        handle.lower("Revoke").revoke();
    }

    /** As {@link #isRevoked} (MPIX_Comm_is_revoked). */
    public final boolean Is_revoked() throws MPIException {
        return handle.lower("Is_revoked").isRevoked();
    }

    /** As {@link #getFailed} (MPIX_Comm_get_failed). */
    public final Group Get_failed() throws MPIException {
        return getFailed();
    }

    /** As {@link #ackFailed} (MPIX_Comm_ack_failed). */
    public final int Ack_failed(int count) throws MPIException {
        return ackFailed(count);
    }

    /** As {@link #agree} (MPIX_Comm_agree). */
    public final void Agree(int[] flag) throws MPIException {
        agreement("Agree", flag).await();
    }

    /** As {@link #iAgree} (MPIX_Comm_iagree). */
    public final Request Iagree(int[] flag) throws MPIException {
        return new Request(agreement("Iagree", flag), null);
    }
}

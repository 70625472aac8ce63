package org.brigade.engine;

import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.engine.job.JobEnd;
import org.brigade.transport.Endpoint;
import org.brigade.transport.InboundLink;

/**
 * What calls must throw when ranks of the job are lost, and whether a loss ends the job instead. Under the progress
 * lock.
 */
public final class Losses {
    private final Endpoint endpoint;
    /** Whether the loss of a peer may be an error of calls; else it always ends the job. */
    private boolean tolerant;
    /** A peer is lost, and the job goes on. */
    private boolean someoneLost;

    Losses(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * From now on the loss of a peer ends the job only if a call needs that peer and its communicator's errors are
     * fatal.
     */
    public void tolerate() {
        if (!tolerant) {
            tolerant = true;
            endpoint.survives();
        }
    }

    boolean isTolerant() {
        return tolerant;
    }

    /** A loss has been noticed. */
    void noticed() {
        someoneLost = true;
    }

    /** Whether the loss of a rank has been noticed. */
    public boolean isSomeoneLost() {
        return someoneLost;
    }

    /**
     * Whether the barrier within Finalize returns the loss of a rank, and this rank then finalizes without waiting: if
     * the world's errors return, or if the rank can only have left.
     */
    public boolean barrierReturns(boolean worldReturnsErrors) {
        return worldReturnsErrors || !tolerant;
    }

    // ---- ranks that send no more ----

    /** Whether no more messages will come from a rank of the job: it is in Finalize, or has left without it. */
    public boolean isGone(int peer) {
        return endpoint.isLeaving(peer) || hasLeft(peer);
    }

    /** Whether a rank has left without Finalize, in a job where that harms only those that wait for it. */
    boolean hasLeft(int peer) {
        return someoneLost && !tolerant && endpoint.lost(peer) != null;
    }

    /**
     * Whether a rank of the job is in Finalize and has sent nothing that could be the awaited message.
     *
     * @param link from that rank
     */
    public boolean isStarvedBy(int peer, InboundLink link) {
        return isGone(peer) && peer != endpoint.rank() && !somethingCame(link);
    }

    /** Whether a link holds anything but a message of Finalize's own barrier. */
    static boolean somethingCame(InboundLink link) {
        return link.poll() && link.key() >>> 32 != Progress.FINALIZE_CONTEXT;
    }

    /**
     * What a call must throw that waits for a rank in Finalize which has not sent the awaited message; ends the job if
     * errors are fatal.
     */
    public MPIException neverComes(String call, Membership membership, int peer) {
        String lost = tolerant ? membership.lostMember(endpoint) : someoneLost ? endpoint.lost(peer) : null;
        if (lost != null) {
            return lost(call, membership, lost);
        }
        String why = "rank " + peer
            + " is in MPI.Finalize and has not sent the awaited message; all ranks must make matching calls";
        if (!membership.returnsErrors()) {
            JobEnd.starved(endpoint, call, why);
        }
        return membership.starved(call, why);
    }

    // ---- collectives ----

    /** What a call must throw that cannot end because a peer is lost; ends the job if errors are fatal. */
    public MPIException lost(String call, Membership membership, String lost) {
        String over = endpoint.over();
        if (over != null || !membership.returnsErrors()) {
            JobEnd.because(endpoint, JobEnd.WAITING + call, over != null ? over : lost);
        }
        someoneLost = true;
        return membership.lost(call, lost);
    }

    /**
     * What a collective must throw on a communicator that is revoked or has lost a member; null if neither was so at
     * the last check.
     */
    public MPIException lostAlready(String call, Membership membership) {
        if (membership.isRevoked()) {
            return membership.revoked(call);
        }
        String lost = someoneLost && failsAsAWhole(membership) ? membership.lostMember(endpoint) : null;
        return lost == null ? null : lost(call, membership, lost);
    }

    /** Whether the loss of any member is an error of every collective, also of one that does not wait for that rank. */
    boolean failsAsAWhole(Membership membership) {
        return tolerant || membership.returnsErrors();
    }

    // ---- messages ----

    /** What a message to or from a rank of the job must throw; null if nothing stands in its way. */
    public MPIException doom(String call, Membership membership, int world) {
        if (membership.isRevoked()) {
            return membership.revoked(call);
        }
        String lost = someoneLost ? endpoint.lost(world) : null;
        return lost == null ? null : sentence(call, membership, lost);
    }

    /** As {@link #lost}; if the rank has only left, the job ends when the program waits for the message. */
    private MPIException sentence(String call, Membership membership, String lost) {
        return tolerant ? lost(call, membership, lost) : membership.lost(call, lost);
    }

    /**
     * What the wait for a message must throw; ends the job if it is the loss of a rank, and errors are fatal.
     *
     * @param world the other side, as rank of the job; -1 if it may be any
     */
    public RuntimeException raised(RuntimeException failure, String call, Membership membership, int world) {
        if (!tolerant && someoneLost && failure instanceof MPIException error
            && error.getErrorClass() == ErrorClass.PROC_FAILED.code) {
            String its = world >= 0 ? endpoint.lost(world) : null;
            return lost(call, membership, its != null ? its : membership.lostMember(endpoint));
        }
        return failure;
    }

    /** The same for a receive from any source that waits, or for a probe. */
    public MPIException doomOfAny(String call, Membership membership) {
        if (membership.isRevoked()) {
            return membership.revoked(call);
        }
        String lost = unacknowledged(membership);
        return lost == null ? null : sentence(call, membership, lost);
    }

    /**
     * What happened to a lost member that might have sent, and that the program has not acknowledged; null if there is
     * none. Where members may leave, null as long as another one is there that may send.
     */
    public String unacknowledged(Membership membership) {
        return !someoneLost ? null : tolerant ? membership.unacknowledged(endpoint) : membership.lastLost(endpoint);
    }
}

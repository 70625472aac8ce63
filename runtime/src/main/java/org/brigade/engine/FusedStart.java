package org.brigade.engine;

import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.engine.node.HostAccess;
import org.brigade.op.Combiner;

/**
 * A call of {@link FlatCollectives} in two halves: sending, which never waits, and receiving. Other calls may come
 * between them. For one call, again and again; under the lock.
 */
public final class FusedStart {
    private final Progress progress;
    private final Membership membership;
    private final LinkMessages messages;
    private final FlatCollectives fused;
    private final Call call;
    private final Combiner incomingLast;
    private final Combiner incomingFirst;
    private long key;

    /** @param incomingLast the reduction with the local operand on the left; null if the collective has none */
    public FusedStart(Progress progress, Membership membership, Call call, Combiner incomingLast,
        Combiner incomingFirst) {
        this.progress = progress;
        this.membership = membership;
        messages = new LinkMessages(progress, membership, false);
        fused = new FlatCollectives(messages, new HostAccess(), membership.rank, membership.members.length);
        this.call = call;
        this.incomingLast = incomingLast;
        this.incomingFirst = incomingFirst;
    }

    /** The user's call, for errors. */
    public String call() {
        return call.collective.key();
    }

    /** Begins a call with this key: sends what this rank has to send. */
    public void post(long callsKey) {
        if (membership.isRevoked()) {
            throw membership.revoked(call.collective.key());
        }
        key = callsKey;
        if (call.collective == Collective.ALLREDUCE) {
            fused.allreducePost(key, call);
        } else if (call.collective == Collective.BARRIER) {
            fused.barrierPost(key);
        } else if (call.isRoot()) {
            fused.bcastPost(key, call);
        }
        progress.endpoint.push();
    }

    /**
     * Whether {@link #finish} has nothing to wait for but the rest of messages that are being written. Makes progress.
     */
    public boolean isReady() {
        if (hasAll()) {
            return true;
        }
        String name = call.collective.key();
        progress.requireWell(key, membership);
        MPIException gone = progress.losses.lostAlready(name, membership);
        if (gone != null) {
            progress.poison(key);
            throw gone;
        }
        if (!progress.poll() && !messages.hasSent()) {
            progress.clearNotBegun(Progress.NOBODYS_KEY); // the links may be full both ways, of this call's messages
        }
        return hasAll();
    }

    private boolean hasAll() {
        String name = call.collective.key();
        boolean cast = call.collective == Collective.BCAST;
        for (int peer = 0; peer < call.ranks; peer++) {
            boolean sends = !cast || peer == call.root;
            if (sends && peer != call.rank && !messages.hasCome(peer, key, name)) {
                return false;
            }
        }
        return messages.hasSent();
    }

    /** Receives, and sees that all has gone; waits where that is needed. */
    public void finish() {
        if (call.collective == Collective.ALLREDUCE) {
            fused.allreduceInput(call, (int) call.send.blocks.total());
            fused.allreduceFold(key, call, incomingLast, incomingFirst);
        } else if (call.collective == Collective.BARRIER) {
            fused.barrierReceive(key);
        } else if (!call.isRoot()) {
            fused.bcastReceive(key, call);
        }
        // Not before: while this rank receives, the links to it do not stay full.
        messages.awaitSent(key, call.collective.key());
    }
}

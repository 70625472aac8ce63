package org.brigade.engine;

import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.memory.Region;
import org.brigade.transport.InboundLink;
import org.brigade.transport.Multicast;
import org.brigade.transport.OutboundLink;

/**
 * Broadcast by multicast, as straight-line code: the leader of the root's node stores the vector once for the leaders
 * of all nodes, and each leader sends it to the ranks of its node.
 *
 * <p>
 * Equal to the schedule {@code hierarchical-tree}. One object a communicator; under the lock. Calls of a communicator
 * come one after another: a message of an earlier call is left over from a call that failed here, and a message of a
 * later call means that this call's message never comes.
 */
public final class FusedMulticast {
    /** Looks before everything else gets a turn. Few: the peer may need this core. */
    private static final int LOOKS = 64;
    /** How long a leader's last messages may be in flight after it has finalized: lost stores are repeated. */
    private static final long LATE_NANOS = 5_000_000_000L;
    private static final String CALL = Collective.BCAST.key();
    /** The part of a key that a link carries. */
    private static final long KEY_BITS = 56;

    private final Progress progress;
    private final Membership membership;
    private final ShortMessages within;
    private final Multicast multicast;
    /** By rank: the position of its node's leader; and the leaders by position. */
    private final int[] nodeOf;
    private final int[] leaders;
    private final Region data = new Region();
    private String broken;

    /**
     * @param within sends within nodes
     * @param multicast among the leaders, in their order
     * @param nodeOf by rank of the communicator: the position of its node's leader
     */
    public FusedMulticast(Progress progress, Membership membership, FlatCollectives within, Multicast multicast,
        int[] leaders,
        int[] nodeOf) {
        this.progress = progress;
        this.membership = membership;
        this.within = within.messages();
        this.multicast = multicast;
        this.leaders = leaders;
        this.nodeOf = nodeOf;
    }

    /** Broadcasts what the root's receive operand holds to all ranks. */
    public void bcast(long key, Call call) {
        if (broken != null) {
            throw membership.broken(CALL, broken);
        }
        data.wrap(call.recv.buffer, call.recv.offset);
        boolean whole = false;
        try {
            run(key, (int) call.recv.blocks.total(), call.root);
            whole = true;
        } finally {
            if (!whole) {
                broken =
                    "an earlier broadcast failed on this communicator and cannot be undone; make a new communicator of"
                        + " the remaining ranks";
                multicast.abandon();
                progress.poison(key);
            }
            data.clear();
        }
    }

    private void run(long key, int bytes, int root) {
        int rank = membership.rank;
        int leader = leaders[nodeOf[rank]];
        int first = leaders[nodeOf[root]];
        if (rank != leader) {
            if (rank == root) {
                within.send(leader, key, data, bytes, CALL);
            } else {
                within.receiveAtMost(leader, key, data, bytes, CALL);
            }
            return;
        }
        if (rank != first) {
            bytes = receive(nodeOf[root], key, bytes);
        } else {
            if (rank != root) {
                bytes = within.receiveAtMost(root, key, data, bytes, CALL);
            }
            send(key, bytes);
        }
        for (int other = 0; other < nodeOf.length; other++) {
            if (nodeOf[other] == nodeOf[rank] && other != rank && other != root) {
                within.send(other, key, data, bytes, CALL);
            }
        }
    }

    private void send(long key, int bytes) {
        OutboundLink all = multicast.toAll();
        Backoff idle = null;
        long leavingSince = 0;
        long sent = 0;
        while (true) {
            long now = all.trySend(Progress.COLLECTIVE, key, data, 0, bytes, sent);
            sent += Math.max(0, now);
            if (now >= 0 && sent == bytes) {
                break;
            }
            if (now == OutboundLink.REFUSED && !progress.poll()) {
                idle = progress.relax(idle, CALL, membership);
                progress.requireWell(key, membership);
                clearIfLong(idle, key);
                for (int member = 0; member < leaders.length; member++) {
                    leavingSince = member == nodeOf[membership.rank] ? leavingSince
                        : Math.max(leavingSince, requireThere(member, leavingSince));
                }
            }
        }
        progress.release(idle);
    }

    /** @return how many bytes have come, at most {@code most} */
    private int receive(int member, long key, int most) {
        InboundLink from = multicast.from(member);
        Backoff idle = null;
        long leavingSince = 0;
        long done = -1;
        int bytes = most;
        while (done < bytes) {
            for (int look = 0; look < LOOKS && !from.poll(); look++) {
                // Look again.
            }
            boolean moved = false;
            if (from.poll() && (done >= 0 || isAtHead(from, key, member, most))) {
                bytes = (int) from.bytes();
                long now = from.tryRecv(data, Math.max(0, done));
                moved = now > 0 || bytes == 0;
                done = Math.max(0, done) + now;
            }
            if (!moved && !progress.poll()) {
                idle = progress.relax(idle, CALL, membership);
                progress.requireWell(key, membership);
                clearIfLong(idle, key);
                leavingSince = requireThere(member, leavingSince);
            }
        }
        progress.release(idle);
        return bytes;
    }

    /** Whether the message at the head is this call's; a message of an earlier call is dropped. */
    private boolean isAtHead(InboundLink from, long key, int member, int bytes) {
        long ahead = from.key() - key << Long.SIZE - KEY_BITS;
        if (ahead < 0) {
            from.tryDiscard(Long.MAX_VALUE);
            return false;
        }
        if (ahead > 0 || from.bytes() > bytes) {
            throw progress.failed(CALL, membership, key, ahead > 0
                ? membership.truncated(CALL, "rank " + leaders[member]
                    + " has sent nothing for this call, but something for a later one: the ranks called different"
                    + " collectives, or with different roots")
                : membership.truncated(CALL, leaders[member], from.bytes(), false, bytes));
        }
        return true;
    }

    private void clearIfLong(Backoff idle, long key) {
        if (idle.isLong()) {
            progress.clearNotBegun(key);
        }
    }

    /**
     * A leader in Finalize sends and receives nothing more; what it sent before arrives soon. Returns since when it is
     * in Finalize, 0 if it is not.
     */
    private long requireThere(int member, long since) {
        int peer = membership.members[leaders[member]];
        if (!progress.losses.isGone(peer)) {
            return 0;
        }
        long now = System.nanoTime();
        if (since != 0 && now - since > LATE_NANOS) {
            throw progress.losses.neverComes(CALL, membership, peer);
        }
        return since != 0 ? since : now;
    }
}

package org.brigade.matching;

import mpi.MPIException;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.memory.Region;
import org.brigade.transport.InboundLink;
import org.brigade.transport.Link;
import org.brigade.transport.OutboundLink;

/**
 * The sending half of point-to-point: a queue for each link, which keeps messages in order; requests that wait for
 * their grants; credit for eager messages. Under the progress lock.
 */
final class Outgoing {
    /** Bytes of zeros that may replace a message whose device failed. */
    private static final int LONGEST_FILLING = 1 << 30;

    final AttachedBuffer attached;
    private final Progress progress;
    private final Peers peers;
    /** Number of sends that wait for their turn on their links. */
    private int queued;

    private final HandleTable<SendOperation> asking = new HandleTable<>();
    /** Operations of blocking sends, for reuse. */
    private SendOperation freeSends;

    Outgoing(Progress progress, Peers peers) {
        this.progress = progress;
        this.peers = peers;
        attached = new AttachedBuffer(progress);
    }

    /** Sends a message if all of it can go at once; else does nothing and returns false. */
    boolean trySendNow(int world, long key, Region source, long bytes, int unit) {
        return bytes <= InboundLink.PACKET_BYTES && !source.isDevice()
            && sendAtOnce(world, key, source, bytes, unit) >= 0;
    }

    private static boolean mayGo(Peer peer, long bytes) {
        return peer.queueFirst == null && !peer.lost
            && peer.outstanding + bytes + Protocol.EAGER_HEADER <= Protocol.EAGER_CREDIT;
    }

    /** A blocking send: returns when the caller's buffer is free again. */
    void sendAndWait(Membership membership, int world, long key, Object buffer, long offset, Region source, long bytes,
        int unit, boolean synchronous) {
        long gone = synchronous ? Link.REFUSED : sendAtOnce(world, key, source, bytes, unit);
        if (gone == bytes) {
            return;
        }
        SendOperation operation = freeSends == null ? new SendOperation(attached) : freeSends;
        freeSends = operation.next;
        operation.begin(membership, world, key, buffer, offset, bytes, unit);
        send(operation, gone, synchronous);
        operation.awaitLocked();
        if (operation.hasFailed()) {
            operation.raise(); // must not be reused: a grant may still come for it
        }
        operation.next = freeSends;
        freeSends = operation;
    }

    /**
     * Sends what can go at once of an eager message.
     *
     * @return bytes that have gone; {@link Link#REFUSED} if the message cannot begin now
     */
    long sendAtOnce(int world, long key, Region source, long bytes, int unit) {
        Peer peer = peers.of(world);
        if (bytes > Protocol.EAGER_BYTES || !mayGo(peer, bytes)) {
            return Link.REFUSED;
        }
        long gone = peer.link.trySend(Protocol.EAGER | unit << Protocol.UNIT_SHIFT, key, source, 0, bytes, 0);
        if (gone == bytes || gone > 0) {
            peer.outstanding += bytes + Protocol.EAGER_HEADER;
        }
        return gone;
    }

    /** Begins a send of which so many bytes {@linkplain #sendAtOnce have gone}; it may be complete on return. */
    void send(SendOperation operation, long gone, boolean synchronous) {
        if (gone > 0) {
            operation.kind = Protocol.EAGER;
            operation.sent = gone;
            enqueue(operation);
        } else {
            send(operation, synchronous);
        }
    }

    /** Begins a send; it may be complete on return. */
    void send(SendOperation operation, boolean synchronous) {
        Peer peer = peers.of(operation.world);
        if (peer.lost) {
            operation.fail(progress.losses.lost("Send", operation.membership, progress.endpoint.lost(peer.world)));
            return;
        }
        long cost = operation.bytes + Protocol.EAGER_HEADER;
        if (!synchronous && operation.bytes <= Protocol.EAGER_BYTES
            && peer.outstanding + cost <= Protocol.EAGER_CREDIT) {
            operation.kind = Protocol.EAGER;
            peer.outstanding += cost;
        } else {
            operation.kind = Protocol.REQUEST;
        }
        enqueue(operation);
        push(peer);
    }

    /** Sends a notice, after the messages queued for that rank. */
    SendOperation tell(int world, Membership membership, int kind, long key, byte[] words) {
        SendOperation operation = new SendOperation(attached).begin(membership, world, key, words, 0, words.length, 0);
        operation.kind = kind;
        if (peers.of(world).lost) {
            operation.complete();
        } else {
            enqueue(operation);
            push(peers.of(world));
        }
        return operation;
    }

    private void enqueue(SendOperation operation) {
        Peer peer = peers.of(operation.world);
        operation.next = null;
        if (peer.queueFirst == null) {
            peer.queueFirst = operation;
        } else {
            peer.queueLast.next = operation;
        }
        peer.queueLast = operation;
        queued++;
    }

    /** Puts queued sends on a link as far as it has room; true if any byte went. */
    private boolean push(Peer peer) {
        boolean moved = false;
        OutboundLink link = peer.link;
        for (SendOperation head = peer.queueFirst; head != null; head = peer.queueFirst) {
            if (head.kind == Protocol.REQUEST) {
                if (head.number < 0) {
                    head.number = asking.put(head);
                }
                if (!link.trySendWords(head.linkKind(), head.key, head.bytes,
                    head.number | head.objects() << Integer.SIZE)) {
                    return moved;
                }
            } else {
                long now;
                try {
                    now = link.trySend(head.linkKind(), head.key, head.region, 0, head.bytes, head.sent);
                } catch (MPIException failed) {
                    fillUp(peer, head, failed);
                    continue;
                }
                if (now < 0) {
                    return moved;
                }
                head.sent += now;
                moved |= now > 0;
                if (head.sent < head.bytes) {
                    return moved;
                }
                head.complete();
            }
            moved = true;
            peer.queueFirst = head.next;
            queued--;
        }
        return moved;
    }

    /**
     * A failing device is an error of the send, not of the thread that polls. The receiver expects the announced number
     * of bytes: zeros replace the missing ones.
     */
    private void fillUp(Peer peer, SendOperation head, MPIException failed) {
        if (!head.region.isDevice() || head.bytes > LONGEST_FILLING) {
            throw failed;
        }
        SendOperation rest = new SendOperation(attached).begin(head.membership, head.world, head.key,
            new byte[(int) head.bytes], 0, head.bytes, head.unit);
        rest.kind = head.kind;
        rest.sent = head.sent;
        rest.next = head.next;
        peer.queueFirst = rest;
        if (peer.queueLast == head) {
            peer.queueLast = rest;
        }
        head.fail(failed);
    }

    /** Whether something is queued, or waits for its grant. */
    boolean isUnderWay() {
        return queued > 0 || asking.size() > 0;
    }

    /** Puts queued sends on the links as far as they have room; true if any byte went. */
    boolean push() {
        boolean moved = false;
        for (int i = 0; i < peers.count() && queued > 0; i++) {
            if (peers.get(i).queueFirst != null) {
                moved |= push(peers.get(i));
            }
        }
        return moved;
    }

    /** A receiver has granted our request of this number; its own number goes with the data. */
    void granted(long number, long receivers) {
        SendOperation operation = asking.take(number);
        if (operation.hasFailed()) {
            return;
        }
        operation.kind = Protocol.DATA;
        operation.key = receivers;
        enqueue(operation);
        push(peers.of(operation.world));
    }

    /** A receiver's user has received this many bytes of eager messages, headers included. */
    void credited(Peer peer, long bytes) {
        peer.outstanding -= bytes;
    }

    // ---- lost peers ----

    /** Fails sends to lost ranks, and on revoked communicators. */
    void failLost() {
        for (int world = 0; progress.losses.isSomeoneLost() && world < progress.endpoint.size(); world++) {
            if (progress.endpoint.lost(world) != null) {
                peers.of(world).lost = true;
            }
        }
        for (int i = 0; i < peers.count(); i++) {
            failQueued(peers.get(i));
        }
        for (int number = 0; number < asking.limit(); number++) {
            SendOperation operation = asking.get(number);
            MPIException why = operation == null || operation.hasFailed() ? null : doom(operation);
            if (why != null) {
                operation.fail(why);
            }
        }
    }

    private MPIException doom(SendOperation operation) {
        return progress.losses.doom("Send", operation.membership, operation.world);
    }

    private void failQueued(Peer peer) {
        SendOperation before = null;
        boolean copied = false;
        for (SendOperation operation = peer.queueFirst; operation != null; operation = operation.next) {
            boolean revoked = operation.membership.isRevoked() && !operation.hasFailed();
            if (revoked && operation.sent > 0 && !peer.lost) {
                operation.failHalfSent(doom(operation));
                before = operation;
                copied = true;
            } else if (revoked || peer.lost) {
                unlink(peer, operation, before);
                if (operation.kind == Protocol.EAGER) {
                    peer.outstanding -= operation.bytes + Protocol.EAGER_HEADER;
                }
                if (operation.kind >= Protocol.NOTICE) {
                    operation.complete();
                } else if (!operation.hasFailed()) {
                    operation.fail(doom(operation));
                }
            } else {
                before = operation;
            }
        }
        if (copied) {
            push(peer); // from now on nothing reads the user's memory
        }
    }

    private void unlink(Peer peer, SendOperation operation, SendOperation before) {
        if (before == null) {
            peer.queueFirst = operation.next;
        } else {
            before.next = operation.next;
        }
        if (peer.queueLast == operation) {
            peer.queueLast = before;
        }
        queued--;
    }
}

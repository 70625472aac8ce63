package org.brigade.matching;

import mpi.MPIException;
import org.brigade.engine.Idle;
import org.brigade.engine.Party;
import org.brigade.engine.Progress;
import org.brigade.memory.Region;
import org.brigade.transport.Link;

/**
 * The sending half of point-to-point: a queue for each link, which keeps messages in order; requests that wait for their grants; credit for eager messages; the room that
 * the user has attached for buffered ones. Under the progress lock.
 */
final class Outgoing {
    /** Bytes of zeros that may stand for a message whose device failed. */
    private static final int LONGEST_FILLING = 1 << 30;

    private final Matching matching;
    private final Progress progress;
    private final Link[] links;

    /** For each peer: sends that wait for their turn on the link. */
    private final SendOperation[] queueFirst;
    private final SendOperation[] queueLast;
    private int queued;
    /** Peers that are lost: nothing goes to them any more, as their link may be in the middle of a message. Null while all are there. */
    private boolean[] lost;

    private final Numbered<SendOperation> asking = new Numbered<>();
    /** Operations of blocking sends, used again and again. */
    private SendOperation freeSends;
    /** Eager bytes that each receiver has not told us it received. */
    private final long[] outstanding;

    private long attached;
    private long attachedFree;

    Outgoing(Matching matching, Link[] links) {
        this.matching = matching;
        this.progress = matching.progress;
        this.links = links;
        queueFirst = new SendOperation[links.length];
        queueLast = new SendOperation[links.length];
        outstanding = new long[links.length];
    }

    /** Sends a message if all of it can go at once; false if not, and nothing has happened. */
    boolean trySendNow(int world, long key, Region source, long bytes) {
        if (bytes > Link.PACKET_BYTES || !mayGo(world, bytes) || links[world].trySend(Protocol.EAGER, key, source, 0, bytes, 0) < 0) {
            return false;
        }
        outstanding[world] += bytes + Protocol.EAGER_HEADER;
        return true;
    }

    private boolean mayGo(int world, long bytes) {
        return queueFirst[world] == null && (lost == null || !lost[world]) && outstanding[world] + bytes + Protocol.EAGER_HEADER <= Protocol.EAGER_CREDIT;
    }

    /** A blocking send: returns when the caller's buffer is free again. */
    void sendAndWait(Party party, int world, long key, Object buffer, long offset, Region source, long bytes, boolean synchronous) {
        long gone = 0;
        if (!synchronous && bytes <= Protocol.EAGER_BYTES && mayGo(world, bytes)) {
            gone = links[world].trySend(Protocol.EAGER, key, source, 0, bytes, 0);
            if (gone == bytes) {
                outstanding[world] += bytes + Protocol.EAGER_HEADER;
                return;
            }
        }
        SendOperation operation = freeSends == null ? new SendOperation(matching) : freeSends;
        freeSends = operation.next;
        operation.begin(party, world, key, buffer, offset, bytes);
        if (gone > 0) {
            operation.kind = Protocol.EAGER;
            operation.sent = gone;
            outstanding[world] += bytes + Protocol.EAGER_HEADER;
            enqueue(operation);
        } else {
            send(operation, synchronous);
        }
        matching.await(operation, "Send");
        if (operation.hasFailed()) {
            operation.raise(); // not to be used again: a grant may still come for it
        }
        operation.next = freeSends;
        freeSends = operation;
    }

    /** Begins a send; it may be complete on return. */
    void send(SendOperation operation, boolean synchronous) {
        int world = operation.world;
        if (lost != null && lost[world]) {
            fail(operation, progress.endpoint.lost(world));
            return;
        }
        long cost = operation.bytes + Protocol.EAGER_HEADER;
        if (!synchronous && operation.bytes <= Protocol.EAGER_BYTES && outstanding[world] + cost <= Protocol.EAGER_CREDIT) {
            operation.kind = Protocol.EAGER;
            outstanding[world] += cost;
        } else {
            operation.kind = Protocol.REQUEST;
        }
        enqueue(operation);
        push(world);
    }

    private void enqueue(SendOperation operation) {
        int world = operation.world;
        operation.next = null;
        if (queueFirst[world] == null) {
            queueFirst[world] = operation;
        } else {
            queueLast[world].next = operation;
        }
        queueLast[world] = operation;
        queued++;
    }

    /** Puts queued sends on a link as far as it goes; whether anything went. */
    private boolean push(int world) {
        boolean moved = false;
        Link link = links[world];
        for (SendOperation head = queueFirst[world]; head != null; head = queueFirst[world]) {
            if (head.kind == Protocol.REQUEST) {
                if (head.number < 0) {
                    head.number = asking.put(head);
                }
                if (!link.trySendWords(Protocol.REQUEST, head.key, head.bytes, head.number)) {
                    return moved;
                }
            } else {
                long now;
                try {
                    now = link.trySend(head.kind, head.key, head.region, 0, head.bytes, head.sent);
                } catch (MPIException failed) {
                    fillUp(head, failed);
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
            queueFirst[world] = head.next;
            queued--;
        }
        return moved;
    }

    /** A device that fails is an error of the send, not of whoever happened to look. Its receiver counts on as many bytes as were promised: zeros take their place. */
    private void fillUp(SendOperation head, MPIException failed) {
        if (!head.region.isDevice() || head.bytes > LONGEST_FILLING) {
            throw failed;
        }
        SendOperation rest = new SendOperation(matching).begin(head.party, head.world, head.key, new byte[(int) head.bytes], 0, head.bytes);
        rest.kind = head.kind;
        rest.sent = head.sent;
        rest.next = head.next;
        queueFirst[head.world] = rest;
        if (queueLast[head.world] == head) {
            queueLast[head.world] = rest;
        }
        head.fail(failed);
    }

    /** Whether something is queued, or waits for its grant. */
    boolean isUnderWay() {
        return queued > 0 || asking.size() > 0;
    }

    /** Puts what is queued on the links as far as it goes; whether anything went. */
    boolean push() {
        boolean moved = false;
        for (int peer = 0; peer < links.length && queued > 0; peer++) {
            if (queueFirst[peer] != null) {
                moved |= push(peer);
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
        push(operation.world);
    }

    /** A receiver's user has received so many bytes of eager messages, headers counted. */
    void credited(int peer, long bytes) {
        outstanding[peer] -= bytes;
    }

    // ---- lost peers ----

    /** Fails what is under way on communicators that have lost a member. Sentences by rank of the job. */
    void failLost(String[] sentences) {
        if (lost == null) {
            lost = new boolean[links.length];
        }
        for (int world = 0; world < links.length; world++) {
            lost[world] |= sentences[world] != null;
            failQueued(world, sentences);
        }
        for (int number = 0; number < asking.limit(); number++) {
            SendOperation operation = asking.get(number);
            if (operation != null && !operation.hasFailed() && operation.party.firstOf(sentences) != null) {
                fail(operation, operation.party.firstOf(sentences));
            }
        }
    }

    private void failQueued(int world, String[] sentences) {
        SendOperation before = null;
        for (SendOperation operation = queueFirst[world]; operation != null; operation = operation.next) {
            String sentence = operation.hasFailed() ? null : operation.party.firstOf(sentences);
            if (sentence != null && operation.sent > 0 && !lost[world]) {
                operation.failHalfSent(progress.lost("Send", operation.party, sentence));
                before = operation;
            } else if (sentence != null || lost[world]) {
                unlink(world, operation, before);
                if (operation.kind == Protocol.EAGER) {
                    outstanding[world] -= operation.bytes + Protocol.EAGER_HEADER;
                }
                if (sentence != null) {
                    fail(operation, sentence);
                }
            } else {
                before = operation;
            }
        }
    }

    private void unlink(int world, SendOperation operation, SendOperation before) {
        if (before == null) {
            queueFirst[world] = operation.next;
        } else {
            before.next = operation.next;
        }
        if (queueLast[world] == operation) {
            queueLast[world] = before;
        }
        queued--;
    }

    private void fail(SendOperation operation, String sentence) {
        operation.fail(progress.lost("Send", operation.party, sentence));
    }

    // ---- buffered sends ----

    void attach(long bytes) {
        attached = bytes;
        attachedFree = bytes;
    }

    /** Takes room for a buffered message; false if there is too little. */
    boolean takeRoom(long bytes) {
        if (bytes > attachedFree) {
            return false;
        }
        attachedFree -= bytes;
        return true;
    }

    long room() {
        return attachedFree;
    }

    void giveBack(long bytes) {
        attachedFree += bytes;
    }

    /** Waits until every buffered message has left. Under the lock. */
    void drainBuffer() {
        Idle idle = null;
        while (attachedFree < attached) {
            if (!progress.poll()) {
                idle = progress.relax(idle, "Buffer_detach", null);
            }
        }
        progress.release(idle);
        attached = 0;
        attachedFree = 0;
    }
}

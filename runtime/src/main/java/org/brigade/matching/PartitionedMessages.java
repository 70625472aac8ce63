package org.brigade.matching;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import mpi.spi.PersistentOperation;
import mpi.spi.SendMode;

/**
 * The partitioned messages of one communicator (MPI 4, chapter 4). They travel among the library's own messages, so
 * nothing else matches them. Each partition of a sender is a message of its own, under a tag of its own:
 *
 * <pre>
 * tag            content
 * -2             an introduction: the user's tag, the first partition's tag, the sender's partitions, bytes of each
 * -3, -4, ...    a partition of a send that has been introduced
 * </pre>
 *
 * A send introduces itself when it is prepared. Introductions of one sender arrive in order, so the first one with a
 * tag belongs to the first receive with that tag. A receive that is started posts a receive for each partition of its
 * sender, in its user's buffer. From then on partitions are found by the ordinary matching. Under the progress lock.
 */
public final class PartitionedMessages {
    private static final int INTRODUCTION = -2;
    private static final int FIRST_TAG = -3;

    final CommunicatorMessages messages;
    private int nextTag = FIRST_TAG;
    /** Sends that have not been freed: their tags are taken. */
    private final List<PartitionedSend> sends = new ArrayList<>();
    /** Receives that have not met their senders, in the order of their preparation. */
    private final List<PartitionedRecv> strangers = new ArrayList<>();
    /** Introductions that no receive has waited for, in the order of their arrival. */
    private final List<Introduction> early = new ArrayList<>();
    /** By source: the receive of its next introduction. There is one while a receive waits for this source. */
    private final Map<Integer, Introduction> asked = new HashMap<>();

    /** @param messages the library's own of this communicator; their users take no negative tags */
    public PartitionedMessages(CommunicatorMessages messages) {
        this.messages = messages;
    }

    /** @param bytes of a partition */
    public PersistentOperation.InPartitions sendInit(Object buffer, long offset, int partitions, long bytes,
        int destination,
        int tag, String call) {
        messages.prepared(1);
        messages.lock();
        try {
            int first = takeTags(partitions);
            PartitionedSend send =
                new PartitionedSend(this, buffer, offset, partitions, bytes, destination, first, call);
            sends.add(send);
            long[] words = {tag, first, partitions, bytes};
            messages.send(null, words, 0, (long) words.length * Long.BYTES, 0, destination, INTRODUCTION,
                SendMode.STANDARD);
            return send;
        } finally {
            messages.unlock();
        }
    }

    /** As {@link CommunicatorMessages#unreceived}. */
    public long unreceived() {
        return messages.unreceived();
    }

    /** As {@link CommunicatorMessages#isQuiet}. */
    public boolean isQuiet() {
        return messages.isQuiet();
    }

    /** As many tags downwards, none of which a send has that is still there. Returns the first. */
    private int takeTags(int number) {
        int first = nextTag;
        for (boolean free = false; !free;) {
            free = true;
            if ((long) first - number < Integer.MIN_VALUE) {
                first = FIRST_TAG;
            }
            for (PartitionedSend send : sends) {
                if (first > send.firstTag - send.partitions && send.firstTag > first - number) {
                    first = send.firstTag - send.partitions;
                    free = false;
                }
            }
        }
        nextTag = first - number;
        return first;
    }

    void freed(PartitionedSend send) {
        sends.remove(send);
    }

    /** @param bytes of a partition */
    public PersistentOperation.InPartitions recvInit(Object buffer, long offset, int partitions, long bytes, int source,
        int tag,
        String call) {
        messages.prepared(1);
        messages.lock();
        try {
            PartitionedRecv recv = new PartitionedRecv(this, buffer, offset, partitions, bytes, source, tag, call);
            for (Iterator<Introduction> each = early.iterator(); each.hasNext();) {
                Introduction known = each.next();
                if (known.isFor(recv)) {
                    each.remove();
                    recv.meet(known.words);
                    return recv;
                }
            }
            strangers.add(recv);
            ask(source);
            return recv;
        } finally {
            messages.unlock();
        }
    }

    /** Sees to it that an introduction from this source is received if a receive waits for one. */
    void ask(int source) {
        while (!asked.containsKey(source) && isWaitedFor(source)) {
            Introduction next = new Introduction(source);
            asked.put(source, next);
            messages.receive(next, next.words, 0, (long) next.words.length * Long.BYTES, source, INTRODUCTION,
                "pRecvInit");
            next.isUnderWay = true;
        }
    }

    private boolean isWaitedFor(int source) {
        for (PartitionedRecv recv : strangers) {
            if (recv.peer == source) {
                return true;
            }
        }
        return false;
    }

    private void introduced(Introduction arrived) {
        asked.remove(arrived.source);
        RuntimeException lost = arrived.failure;
        for (int i = 0; i < strangers.size(); i++) {
            PartitionedRecv recv = strangers.get(i);
            if (lost != null && recv.peer == arrived.source) {
                recv.failUnmet(lost);
            } else if (lost == null && arrived.isFor(recv)) {
                strangers.remove(i);
                recv.meet(arrived.words);
                return;
            }
        }
        if (lost == null) {
            early.add(arrived);
        }
    }

    /** The receive of an introduction. */
    private final class Introduction extends RecvOperation {
        final long[] words = new long[4];
        final int source;
        /** Whether {@link #ask} has posted it and gone on. */
        boolean isUnderWay;

        Introduction(int source) {
            super(messages.posted());
            this.source = source;
        }

        boolean isFor(PartitionedRecv recv) {
            return source == recv.peer && words[0] == recv.tag;
        }

        @Override
        void complete() {
            super.complete();
            introduced(this);
            if (isUnderWay && failure == null) {
                ask(source);
            }
        }
    }
}

package org.brigade.engine;

import java.util.Arrays;
import mpi.MPIException;
import mpi.spi.Call;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.recording.CallRecording;
import org.brigade.recording.StageEvent;
import org.brigade.recording.Stages;
import org.brigade.transport.InboundLink;
import org.brigade.transport.Link;
import org.brigade.transport.OutboundLink;
import org.brigade.waiting.Wait;
import org.brigade.waiting.Waiter;

/**
 * Barrier, bcast and allreduce of small messages among few ranks, as straight-line code. Every rank sends to every
 * other (up to {@link Link#PACKET_BYTES} bytes share a cache line with their header) and reduces in rank order, so all
 * ranks get the same bits. One round; n - 1 messages a rank (bcast: the root's only).
 *
 * <p>
 * Equal to the schedules {@code direct-exchange} of barrier and allreduce and {@code direct} of bcast. Every rank sends
 * before it receives, so a link must hold the messages of two calls; the catalogue limits the bytes accordingly. One
 * object a communicator; under the lock.
 */
public final class FusedFlat implements Waiter {
    /**
     * Looks at one link before everything else gets a turn. No pause between them: the message is usually a cache line
     * away.
     */
    private static final int MOST_LOOKS = 512;

    private static final Region NOTHING = new Region();

    private final Progress progress;
    /** Whether a call waits for room on a link; else others send the message later. */
    private final boolean waits;
    private final Membership party;
    private final int rank;
    /** By member; null until the first call, as few communicators are small enough to use this class. */
    private Link[] links;
    private final int ranks;
    private final int[] members;
    private final Region send = new Region();
    private final Region recv = new Region();
    private NativeMemory ownBytes;
    private Region sum;
    /** What others still have to send of this call, if it does not wait. */
    private HalfSent[] left = {};
    /** Null until a buffer is on a device. */
    private NativeMemory nearBytes;
    private Region near;

    public FusedFlat(Progress progress, Membership party) {
        this(progress, party, true);
    }

    /** @param waits whether a send waits for room on its link */
    FusedFlat(Progress progress, Membership party, boolean waits) {
        this.progress = progress;
        this.waits = waits;
        this.party = party;
        this.rank = party.rank;
        this.members = party.members;
        this.ranks = members.length;
    }

    private Link link(int peer) {
        if (links == null) {
            links = new Link[ranks];
            for (int i = 0; i < ranks; i++) {
                links[i] = progress.link(members[i]);
            }
        }
        return links[peer];
    }

    public void barrier(long key) {
        barrierPost(key);
        barrierReceive(key);
    }

    void barrierPost(long key) {
        postAll(key, NOTHING, 0, "Barrier");
    }

    void barrierReceive(long key) {
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != rank) {
                receive(peer, key, NOTHING, 0, "Barrier");
            }
        }
    }

    public void bcast(long key, Call call) {
        if (rank == call.root) {
            bcastPost(key, call);
        } else {
            bcastReceive(key, call);
        }
    }

    /** At the root. */
    void bcastPost(long key, Call call) {
        int bytes = (int) call.recv.blocks.total();
        recv.wrap(call.recv.buffer, call.recv.offset);
        if (recv.isDevice()) {
            near(bytes);
            recv.read(0, nearBytes, 0, bytes);
            postAll(key, near, bytes, "Bcast");
        } else {
            postAll(key, recv, bytes, "Bcast");
        }
        recv.clear();
    }

    /** Elsewhere. */
    void bcastReceive(long key, Call call) {
        int bytes = (int) call.recv.blocks.total();
        recv.wrap(call.recv.buffer, call.recv.offset);
        if (recv.isDevice()) {
            near(bytes);
            recv.write(0, nearBytes, 0, receiveAtMost(call.root, key, near, bytes, "Bcast"));
        } else {
            receiveAtMost(call.root, key, recv, bytes, "Bcast");
        }
        recv.clear();
    }

    private void postAll(long key, Region data, int bytes, String call) {
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != rank) {
                post(peer, key, data, bytes, call);
            }
        }
    }

    /** The first half of an allreduce: sends the vector. Work that can wait is done while it travels. */
    public void allreducePost(long key, Call call) {
        int bytes = (int) call.send.blocks.total();
        allreduceInput(call, bytes);
        postAll(key, send, bytes, "Allreduce");
    }

    /** Finds this rank's vector; {@link #allreduceFold} needs that if other calls came since the vector was sent. */
    void allreduceInput(Call call, int bytes) {
        send.wrap(call.send.buffer, call.send.offset);
        if (send.isDevice()) {
            near(bytes);
            send.read(0, nearBytes, 0, bytes);
            send.wrap(nearBytes.bytes, 0);
        }
    }

    /**
     * The second half: receives, and reduces in rank order. The combiners: with the local operand on the left, and with
     * the incoming value on the left.
     */
    public void allreduceFold(long key, Call call, Combiner incomingLast, Combiner incomingFirst) {
        int bytes = (int) call.send.blocks.total();
        recv.wrap(call.recv.buffer, call.recv.offset);
        Region result = recv.isDevice() ? near(bytes) : recv;
        try {
            if (ranks == 2) {
                fold(1 - rank, key, bytes, rank == 0 ? incomingLast : incomingFirst, send, result, "Allreduce");
            } else {
                foldAll(key, bytes, incomingLast, result);
            }
            if (result != recv) {
                recv.write(0, nearBytes, 0, bytes);
            }
        } catch (RuntimeException | Error usersOwn) {
            throw failedIn("Allreduce", key, usersOwn);
        } finally {
            send.clear();
            recv.clear();
        }
    }

    /** What to throw for an exception within a call; {@link #failed} if the user's code threw it. */
    RuntimeException failedIn(String call, long key, Throwable thrown) {
        if (progress.isPoisoned(key)) {
            if (thrown instanceof Error error) {
                throw error;
            }
            return (RuntimeException) thrown;
        }
        return failed(call, key, thrown);
    }

    /** Host memory for data of a device: each copy to or from a device takes long, however short. */
    private Region near(int bytes) {
        if (nearBytes == null || nearBytes.capacity() < bytes) {
            nearBytes = NativeMemory.allocate(Math.max(64, bytes));
            near = Region.of(nearBytes);
        }
        return near;
    }

    private void foldAll(long key, int bytes, Combiner incomingLast, Region result) {
        if (ownBytes == null || ownBytes.capacity() < bytes) {
            ownBytes = NativeMemory.allocate(Math.max(64, bytes));
            sum = Region.of(NativeMemory.allocate(Math.max(64, bytes)));
        }
        send.read(0, ownBytes, 0, bytes);
        int last = ranks - 1;
        if (rank == 0) {
            (last == 0 ? result : sum).write(0, ownBytes, 0, bytes);
        } else {
            receive(0, key, sum, bytes, "Allreduce");
        }
        for (int peer = 1; peer <= last; peer++) {
            Region target = peer == last ? result : sum;
            if (peer == rank) {
                incomingLast.combine(ownBytes, 0, bytes, sum, 0, target, 0);
            } else {
                fold(peer, key, bytes, incomingLast, sum, target, "Allreduce");
            }
        }
    }

    // ---- messages ----

    /** Sends a message to a member. */
    void post(int peer, long key, Region source, int bytes, String call) {
        long now = link(peer).trySend(Progress.COLLECTIVE, key, source, 0, bytes, 0);
        if (now != bytes) {
            if (waits) {
                finishPost(link(peer), key, source, bytes, Math.max(0, now), call);
            } else {
                left = Arrays.copyOf(left, left.length + 1);
                left[left.length - 1] = leavePost(link(peer), key, source, bytes, Math.max(0, now));
            }
        }
    }

    private void finishPost(OutboundLink link, long key, Region source, int bytes, long sent, String call) {
        Idle idle = null;
        while (true) {
            // Every rank may be sending to a rank whose link is full of messages that it has not asked for yet.
            if (!progress.poll() && !progress.clearNotBegun(key)) {
                idle = relaxSending(idle, link, key, source, bytes, sent, call);
            }
            long now = link.trySend(Progress.COLLECTIVE, key, source, 0, bytes, sent);
            sent += Math.max(0, now);
            if (now >= 0 && sent == bytes) {
                break;
            }
        }
        progress.release(idle);
    }

    /**
     * One turn of waiting for room on a link. If this call ends here, the rest of its half-sent message is sent without
     * it, as the link takes nothing else until then.
     */
    private Idle relaxSending(Idle idle, OutboundLink link, long key, Region source, int bytes, long sent,
        String call) {
        try {
            return relax(idle, call, key);
        } catch (RuntimeException lost) {
            if (sent > 0) {
                leavePost(link, key, source, bytes, sent);
            }
            throw lost;
        }
    }

    /** Whoever makes progress sends the rest of a message, from a copy. */
    private HalfSent leavePost(OutboundLink link, long key, Region source, int bytes, long sent) {
        byte[] copy = new byte[bytes];
        new LocalCopy().copy(new Region().wrap(copy, 0), 0, source, 0, bytes);
        HalfSent rest = new HalfSent(link, Progress.COLLECTIVE, key, copy, sent);
        progress.sendRest(rest);
        return rest;
    }

    /** Whether all of this call's messages have gone. */
    boolean hasSent() {
        for (HalfSent message : left) {
            if (!message.gone()) {
                return false;
            }
        }
        if (left.length > 0) {
            left = new HalfSent[0];
        }
        return true;
    }

    /** Waits until all of this call's messages have gone: this rank may make no progress after the call. */
    void awaitSent(long key, String call) {
        Idle idle = null;
        while (!hasSent()) {
            if (!progress.poll() && !progress.clearNotBegun(key)) {
                idle = relax(idle, call, key);
            }
        }
        progress.release(idle);
    }

    /** Whether a member's message of this key has come. Sets aside what is in its way; never waits. */
    boolean hasCome(int peer, long key, String call) {
        int world = members[peer];
        Stash stash = progress.stash();
        Stash.Message message = stash.isEmpty() ? null : stash.find(world, Progress.COLLECTIVE, key);
        if (message != null) {
            return message.whole();
        }
        InboundLink link = link(peer);
        if (!link.poll()) {
            if (progress.isStarvedBy(world, link)) {
                throw progress.neverComes(call, party, world);
            }
            return false;
        }
        if (link.key() == key && !stash.isTaking(world)) {
            return true;
        }
        progress.clear(world);
        return false;
    }

    /** Receives a message from a member. */
    void receive(int peer, long key, Region target, int bytes, String call) {
        take(peer, key, null, null, target, bytes, false, call);
    }

    /** Receives a message from a member that may have sent less. @return its length */
    int receiveAtMost(int peer, long key, Region target, int bytes, String call) {
        return take(peer, key, null, null, target, bytes, true, call);
    }

    /** Receives a message from a member into {@code target = operand op message}. */
    void fold(int peer, long key, int bytes, Combiner combiner, Region operand, Region target, String call) {
        take(peer, key, combiner, operand, target, bytes, false, call);
    }

    /** Receives a message into {@code target}; with a combiner: {@code operand op message}. */
    private int take(int peer, long key, Combiner combiner, Region operand, Region target, int most, boolean less,
        String call) {
        try {
            return takeWhole(peer, key, combiner, operand, target, most, less, call);
        } catch (RuntimeException | Error failed) {
            InboundLink link = link(peer);
            if (!progress.stash().isTaking(members[peer]) && link.poll() && link.key() == key) {
                link.abandon();
            }
            throw failed;
        }
    }

    private int takeWhole(int peer, long key, Combiner combiner, Region operand, Region target, int most, boolean less,
        String call) {
        InboundLink link = link(peer);
        boolean whole = combiner != null && 16 % combiner.itemBytes() != 0; // the link's pieces would cut items in two
        long done;
        int bytes;
        Idle idle = null;
        do {
            // Repeat while nothing has been taken: until then another wait may still set the message aside.
            Stash.Message stashed = await(peer, Progress.COLLECTIVE, key, call);
            bytes = lengthOf(peer, key, most, less, stashed != null ? stashed.data.length : link.bytes(),
                stashed != null ? stashed.kind : link.kind(), call);
            if (stashed != null) {
                progress.stash().deliver(members[peer], stashed, combiner, operand, 0, target, 0);
                return bytes;
            }
            if (whole) {
                progress.clear(members[peer]);
                done = 0;
            } else {
                done = combiner == null ? link.tryRecv(target, 0) : link.tryRecvReduce(combiner, operand, 0, target, 0);
            }
            if (done == 0 && bytes > 0 && !progress.poll()) {
                idle = relax(idle, call, key);
            }
        } while (done == 0 && bytes > 0);
        while (done < bytes) {
            long now = combiner == null ? link.tryRecv(target, done)
                : link.tryRecvReduce(combiner, operand, done, target, done);
            done += now;
            if (now == 0 && !progress.poll()) {
                idle = relax(idle, call, key);
            }
        }
        progress.release(idle);
        return bytes;
    }

    private int lengthOf(int peer, long key, int expected, boolean less, long came, int kind, String call) {
        if (came == expected && kind == Progress.COLLECTIVE || came < expected && less && kind == Progress.COLLECTIVE) {
            return (int) came;
        }
        throw failed(call, key, party.truncated(call, peer, came, (kind & Progress.MORE) != 0, expected));
    }

    /**
     * Waits until a message of this kind and key is at the head of a peer's link (null) or in the stash (the message).
     */
    private Stash.Message await(int peer, int kind, long key, String call) {
        return CallRecording.ON ? recorded(peer, kind, key, call) : awaitMessage(peer, kind, key, call);
    }

    private Stash.Message recorded(int peer, int kind, long key, String call) {
        StageEvent event = new StageEvent();
        event.begin();
        long begun = System.nanoTime();
        Stash.Message message = awaitMessage(peer, kind, key, call);
        event.end();
        Stages.commit(event, call, party.name(), key, "straight-line code", "RECV", 0, members[peer],
            message == null ? link(peer).bytes() : message.data.length, System.nanoTime() - begun);
        return message;
    }

    private Stash.Message awaitMessage(int peer, int kind, long key, String call) {
        InboundLink link = link(peer);
        Stash stash = progress.stash();
        int world = members[peer];
        int looks = progress.looks(MOST_LOOKS);
        Idle idle = null;
        while (true) {
            if (!stash.isEmpty()) {
                Stash.Message message = stash.find(world, kind, key);
                if (message != null && message.whole()) {
                    progress.release(idle);
                    return message;
                }
            }
            if (link.poll(looks)) {
                if (link.key() == key && (link.kind() & ~Progress.FORMS) == kind && !stash.isTaking(world)) {
                    progress.release(idle);
                    return null;
                }
                // A message of another call is in the way. If a cursor wants it, polling moves it; else it must be set
                // aside.
                if (!progress.poll() && !progress.clear(world)) {
                    idle = stuck(idle, call, key, peer);
                }
            } else if (!progress.poll()) {
                idle = stuck(idle, call, key, peer);
                looks = 1; // the wait is a long one
            }
        }
    }

    /** A call has failed here: tells the other members. @return what the call must throw */
    public MPIException failed(String call, long key, Throwable cause) {
        return progress.failed(call, party, key, cause);
    }

    @Override
    public void describe(Wait wait) {
        wait.collective(stuckKey);
        if (stuckPeer >= 0) {
            wait.peer(stuckPeer);
        }
    }

    private Idle stuck(Idle idle, String call, long key, int peer) {
        boolean finalizing = key >>> 32 == Progress.FINALIZE_CONTEXT;
        Idle next;
        stuckKey = key;
        stuckPeer = members[peer];
        try {
            next = finalizing ? progress.relax(idle, call, party, this)
                : progress.relaxFor(idle, call, party, stuckPeer, this);
        } catch (RuntimeException lost) {
            progress.poison(key);
            throw lost;
        }
        progress.requireWell(key, party);
        if (next.isLong()) {
            progress.clearNotBegun(key);
        }
        return next;
    }

    private Idle relax(Idle idle, String call, long key) {
        stuckKey = key;
        stuckPeer = -1;
        try {
            Idle next = progress.relax(idle, call, party, this);
            progress.requireWell(key, party);
            return next;
        } catch (RuntimeException lost) {
            progress.poison(key);
            throw lost;
        }
    }

    // ---- comparing calls ----

    /**
     * Sends two words to every member and compares theirs with ours. Returns the first rank whose words differ, -1 if
     * none does. Its words are left in {@code theirs}.
     */
    public int compare(long key, long first, long second, long[] theirs) {
        tell(Progress.CHECK, key, first, second, "a check of arguments");
        int different = -1;
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != rank) {
                hear(Progress.CHECK, peer, key, "a check of arguments");
                if (different < 0 && (word0 != first || word1 != second)) {
                    different = peer;
                    theirs[0] = word0;
                    theirs[1] = word1;
                }
            }
        }
        return different;
    }

    /**
     * Tells every member how many bytes it gets and how many this rank expects from it, and hears the same.
     *
     * @param sends by member: bytes that this rank sends; receives: bytes that it expects
     * @return the first member, or this rank itself, whose expectation does not match; its two numbers are left in
     * {@code theirs}; -1 if all match
     */
    public int compareEach(long key, long[] sends, long[] receives, long[] theirs) {
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != rank) {
                tell(peer, Progress.CHECK, key, sends[peer], receives[peer], "a check of arguments");
            }
        }
        int different = -1;
        for (int peer = 0; peer < ranks; peer++) {
            if (peer == rank) {
                word0 = sends[rank];
                word1 = receives[rank];
            } else {
                hear(Progress.CHECK, peer, key, "a check of arguments");
            }
            if (different < 0 && (word0 != receives[peer] || word1 != sends[peer])) {
                different = peer;
                theirs[0] = word0;
                theirs[1] = word1;
            }
        }
        return different;
    }

    private void tell(int kind, long key, long first, long second, String call) {
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != rank) {
                tell(peer, kind, key, first, second, call);
            }
        }
    }

    private void tell(int peer, int kind, long key, long first, long second, String call) {
        Idle idle = null;
        while (!link(peer).trySendWords(kind, key, first, second)) {
            if (!progress.poll() && !progress.clearNotBegun(key)) {
                idle = relax(idle, call, key);
            }
        }
        progress.release(idle);
    }

    /** What a turn of waiting waits for: the call's key, and a rank of the job, or -1. */
    private long stuckKey;
    private int stuckPeer;
    /** The words that {@link #hear} received last. */
    private long word0;
    private long word1;

    private void hear(int kind, int peer, long key, String call) {
        Stash.Message stashed = await(peer, kind, key, call);
        word0 = stashed != null ? stashed.word(0) : link(peer).word(0);
        word1 = stashed != null ? stashed.word(1) : link(peer).word(1);
        if (stashed != null) {
            progress.stash().remove(members[peer], stashed);
        } else {
            link(peer).tryDiscard(Long.MAX_VALUE);
        }
    }
}

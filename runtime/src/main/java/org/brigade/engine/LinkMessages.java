package org.brigade.engine;

import java.util.Arrays;
import mpi.MPIException;
import org.brigade.memory.Region;
import org.brigade.nativ.AwaitedWord;
import org.brigade.op.Combiner;
import org.brigade.op.LocalCopy;
import org.brigade.recording.CallRecording;
import org.brigade.recording.StageEvent;
import org.brigade.recording.Stages;
import org.brigade.transport.InboundLink;
import org.brigade.transport.Link;
import org.brigade.transport.OutboundLink;
import org.brigade.waiting.Wait;
import org.brigade.waiting.Waiter;

/**
 * Short messages over this rank's links: up to {@link Link#PACKET_BYTES} bytes share a cache line with their header.
 * One object a communicator; under the lock.
 */
public final class LinkMessages implements ShortMessages, Waiter {
    /**
     * Looks at one link before everything else gets a turn. No pause between them: the message is usually a cache line
     * away.
     */
    private static final int MOST_LOOKS = 512;

    private final Progress progress;
    /** Whether a call waits for room on a link; else others send the message later. */
    private final boolean waits;
    private final Membership membership;
    private final int ranks;
    private final int[] members;
    /** By member; null until the first call, as few communicators are small enough for such messages. */
    private Link[] links;
    /** What others still have to send of this call, if it does not wait. */
    private HalfSent[] left = {};
    /** What a turn of waiting waits for: the call's key, and a rank of the job, or -1. */
    private long stuckKey;
    private int stuckPeer;
    /** The words that {@link #hear} received last. */
    private long word0;
    private long word1;

    /** Messages that wait for room on their links. */
    public LinkMessages(Progress progress, Membership membership) {
        this(progress, membership, true);
    }

    /** @param waits whether a send waits for room on its link */
    LinkMessages(Progress progress, Membership membership, boolean waits) {
        this.progress = progress;
        this.waits = waits;
        this.membership = membership;
        this.members = membership.members;
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

    @Override
    public RuntimeException failedIn(String call, long key, Throwable thrown) {
        if (progress.isPoisoned(key)) {
            if (thrown instanceof Error error) {
                throw error;
            }
            return (RuntimeException) thrown;
        }
        return failed(call, key, thrown);
    }

    @Override
    public void send(int peer, long key, Region source, int bytes, String call) {
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
        Backoff idle = null;
        while (true) {
            // Every rank may be sending to a rank whose link is full of messages that it has not asked for yet: of
            // calls to come, or of this one, which no rank of a call receives before it has sent.
            if (!progress.poll() && !progress.clearNotBegun(Progress.NOBODYS_KEY)) {
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
    private Backoff relaxSending(Backoff idle, OutboundLink link, long key, Region source, int bytes, long sent,
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
        Backoff idle = null;
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
            if (!message.whole()) {
                progress.clear(world);
            }
            return message.whole();
        }
        InboundLink link = link(peer);
        if (!link.poll()) {
            if (progress.losses.isStarvedBy(world, link)) {
                throw progress.losses.neverComes(call, membership, world);
            }
            return false;
        }
        if (link.key() == key && !stash.isTaking(world)) {
            return true;
        }
        progress.clear(world);
        return false;
    }

    @Override
    public void receive(int peer, long key, Region target, int bytes, String call) {
        take(peer, key, null, null, target, bytes, false, call);
    }

    @Override
    public int receiveAtMost(int peer, long key, Region target, int bytes, String call) {
        return take(peer, key, null, null, target, bytes, true, call);
    }

    @Override
    public void fold(int peer, long key, int bytes, Combiner combiner, Region operand, Region target, String call) {
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
        Backoff idle = null;
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
        throw failed(call, key, membership.truncated(call, peer, came, (kind & Progress.MORE) != 0, expected));
    }

    @Override
    public RuntimeException truncated(String call, long key, long came, long expected) {
        return failed(call, key, membership.truncated(call, membership.rank, came, false, expected));
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
        Stages.commit(event, call, membership.name(), key, "straight-line code", "RECV", 0, members[peer],
            message == null ? link(peer).bytes() : message.data.length, System.nanoTime() - begun);
        return message;
    }

    private Stash.Message awaitMessage(int peer, int kind, long key, String call) {
        InboundLink link = link(peer);
        Stash stash = progress.stash();
        int world = members[peer];
        int looks = progress.looks(MOST_LOOKS);
        Backoff idle = null;
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
        return progress.failed(call, membership, key, cause);
    }

    @Override
    public void show(AwaitedWord word) {
        if (stuckPeer >= 0) {
            progress.link(stuckPeer).show(word);
        } else {
            word.forget();
        }
    }

    @Override
    public void describe(Wait wait) {
        wait.collective(stuckKey);
        if (stuckPeer >= 0) {
            wait.peer(stuckPeer);
        }
    }

    private Backoff stuck(Backoff idle, String call, long key, int peer) {
        boolean finalizing = key >>> 32 == Progress.FINALIZE_CONTEXT;
        Backoff next;
        stuckKey = key;
        stuckPeer = members[peer];
        try {
            next = finalizing ? progress.relax(idle, call, membership, this)
                : progress.relaxFor(idle, call, membership, stuckPeer, this);
        } catch (RuntimeException lost) {
            progress.poison(key);
            throw lost;
        }
        progress.requireWell(key, membership);
        if (next.isLong()) {
            if (progress.contradicts(members[peer], key)) {
                throw progress.mismatched(call, membership, key, membership.truncated(call, "rank " + peer
                    + " sent a message of another collective; all ranks must make matching calls"));
            }
            progress.clearNotBegun(key);
        }
        return next;
    }

    private Backoff relax(Backoff idle, String call, long key) {
        stuckKey = key;
        stuckPeer = -1;
        try {
            Backoff next = progress.relax(idle, call, membership, this);
            progress.requireWell(key, membership);
            return next;
        } catch (RuntimeException lost) {
            progress.poison(key);
            throw lost;
        }
    }

    // ---- words ----

    /** Sends two words to a member, apart from other messages. */
    public void tell(int peer, long key, long first, long second, String call) {
        Backoff idle = null;
        while (!link(peer).trySendWords(Progress.CHECK, key, first, second)) {
            if (!progress.poll() && !progress.clearNotBegun(key)) {
                idle = relax(idle, call, key);
            }
        }
        progress.release(idle);
    }

    /** Receives two words from a member: {@link #word}. */
    public void hear(int peer, long key, String call) {
        Stash.Message stashed = await(peer, Progress.CHECK, key, call);
        word0 = stashed != null ? stashed.word(0) : link(peer).word(0);
        word1 = stashed != null ? stashed.word(1) : link(peer).word(1);
        if (stashed != null) {
            progress.stash().remove(members[peer], stashed);
        } else {
            link(peer).tryDiscard(Long.MAX_VALUE);
        }
    }

    /** One of the two words that were received last. */
    public long word(int number) {
        return number == 0 ? word0 : word1;
    }
}

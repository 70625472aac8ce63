package org.brigade.engine;

import mpi.MPIException;
import org.brigade.bootstrap.CoreShare;
import org.brigade.engine.node.PullSlots;
import org.brigade.engine.node.MappableBuffers;
import org.brigade.engine.node.SharedBuffers;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.brigade.transport.PeerTable;
import org.brigade.waiting.CallKey;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.WaitBoard;
import org.brigade.waiting.Waiter;

/**
 * The running cursors of this process and its point-to-point traffic. There is no progress thread: every waiting thread
 * makes progress for all, under the {@link ProgressLock}.
 */
public final class Progress {
    /** The kind of collectives' data messages on the collective lane. */
    public static final int COLLECTIVE = 0;
    /**
     * The same, for a block that goes on in a later message: a bit beside {@link #COLLECTIVE}. The last message of a
     * block lacks this bit, so a receiver with more room knows where the block ends.
     */
    public static final int MORE = 2;
    /**
     * The same, for a message that is not one block: a part of a vector, several blocks, or a word without data.
     * Another bit. If ranks' counts differ so much that their algorithms do, neither kind is taken for the other.
     */
    public static final int PART = 4;
    /** The bits that a message of {@link #COLLECTIVE} may have. */
    static final int FORMS = MORE | PART;
    /** The kind of the messages by which {@code brigade.check} compares calls. */
    public static final int CHECK = 1;

    /** The context of the barrier within Finalize, which no communicator has. */
    public static final int FINALIZE_CONTEXT = 3;

    /** Set in the context of the library's own messages on a communicator. */
    public static final int INTERNAL = 0x8000_0000;

    /** A key of no message, for {@link #turn}. */
    public static final long NOBODYS_KEY = -1;

    /**
     * Short turns of waiting in which unawaited messages stay where they are: looking at all peers' messages costs more
     * than looking at the awaited ones.
     */
    private static final int MOST_TURNS_WITHOUT_SOURCE = 16;

    /** Nanoseconds of {@link #patience}. */
    private static final int PATIENCE = 100_000;

    /** Traffic beside the cursors. */
    public interface Source {
        /** Moves what can move now; true if anything did. */
        boolean poll();

        /**
         * Whether something has begun here that only {@link #poll} can end; else polling can wait some turns.
         *
         * @param butFor a receive that does not count; null if all do
         */
        boolean isUnderWay(Waiter butFor);

        /** Fails what waits for lost ranks, or on revoked communicators, as {@link Losses#lost} says. */
        void failLost();

        /**
         * Sends a notice to a rank of the job, which passes it to its {@link #told}.
         *
         * @param notice {@link #FAILED_CALL}, {@link #REVOKED} or {@link #AGREEMENT}
         * @return a word that tells whether it has gone
         */
        Sent tell(int peer, Membership membership, int notice, long key, byte[] words);
    }

    /** A notice on its way. */
    public interface Sent {
        /** Whether all of it is in the receiver's link, or there is no such receiver any more. */
        boolean hasGone();
    }

    /** Who deals with notices about communicators whose members are lost, and with the losses. */
    public interface Survivors {
        /** @param notice {@link #REVOKED} or {@link #AGREEMENT} */
        void told(int from, int notice, long key, byte[] words);

        /** Ranks are lost. */
        void lost();
    }

    /** Notices: a call has failed; a communicator is revoked; a word of an agreement. */
    public static final int FAILED_CALL = 0;
    public static final int REVOKED = 1;
    public static final int AGREEMENT = 2;
    public static final int NOTICES = 3;

    public final Endpoint endpoint;
    public final ProgressLock lock = new ProgressLock();
    /** This rank's last calls; under the lock. */
    public final FlightRecorder recorder;
    /** The collective links to the ranks of the job that this rank has used so far. */
    private final PeerTable<Link> links;
    private final Stash stash;
    /** What calls must throw when ranks are lost. */
    public final Losses losses;
    private final WaitTurns turns;
    private final FailedCalls failed = new FailedCalls();
    private final RunningCursors cursors;
    private final HealthCheck health;
    /** Messages of failed collectives. */
    private final HalfSent.Queue halfSent = new HalfSent.Queue();
    /** Work of this rank that moves without messages, such as calls that run on devices. */
    public final Companions companions = new Companions();
    /** The program's buffers that other ranks of the node can map. */
    public final MappableBuffers mappable;
    private Source source;
    private int turnsWithoutSource;
    /** Whether something moved when it was last polled: more may come that nobody waits for. */
    private boolean sourceMoved;
    private Survivors survivors;
    /** Null, as the next, until a communicator first needs one of them. */
    private PullSlots pullSlots;
    private SharedBuffers sharedBuffers;

    public Progress(Endpoint endpoint, CoreShare cores) {
        this.endpoint = endpoint;
        this.mappable = new MappableBuffers(endpoint);
        this.recorder = endpoint.recorder();
        recorder.tick(System.nanoTime());
        this.losses = new Losses(endpoint);
        this.turns = new WaitTurns(endpoint, lock, recorder, cores);
        this.stash = new Stash(endpoint.size());
        this.links = new PeerTable<>(endpoint.size());
        this.cursors = new RunningCursors(this, losses);
        this.health = new HealthCheck(this, losses, turns, cursors, failed);
    }

    /** Adds the point-to-point side. */
    public void attach(Source source) {
        this.source = source;
    }

    /** Adds who deals with losses. */
    public void attach(Survivors those) {
        survivors = those;
    }

    /** The traffic beside the cursors: to be attached again, with more around it, and without. Under the lock. */
    public Source source() {
        return source;
    }

    Stash stash() {
        return stash;
    }

    /** The collective link to a rank of the job. */
    Link link(int peer) {
        Link link = links.get(peer);
        if (link == null) {
            link = endpoint.link(peer, Endpoint.COLLECTIVE);
            links.put(peer, link);
        }
        return link;
    }

    /** What this rank publishes for small collectives. Under the lock. */
    public PullSlots pullSlots() {
        if (pullSlots == null) {
            pullSlots = new PullSlots(endpoint);
        }
        return pullSlots;
    }

    /** The buffers that this rank's communicators share with other ranks of the node. Under the lock. */
    public SharedBuffers sharedBuffers() {
        if (sharedBuffers == null) {
            sharedBuffers = new SharedBuffers(endpoint.withinNode().nodeMemory());
        }
        return sharedBuffers;
    }

    /** Adds a cursor to those that every wait advances. */
    void start(Cursor cursor) {
        cursors.start(cursor);
    }

    // ---- calls that have failed ----

    /** From now on drops messages with this key: their collective failed here. */
    void poison(long key) {
        failed.poison(key);
        stash.forget(key);
    }

    /** Whether a collective has failed here, or was reported as failed. */
    boolean isPoisoned(long key) {
        return failed.isPoisoned(key);
    }

    /**
     * A call has failed on this rank: tells the other members, so that none of them waits for ever for this rank's
     * part. The call fails where it has not ended; later calls are not affected.
     *
     * @return what the call must throw here
     */
    MPIException failed(String call, Membership membership, long key, Throwable cause) {
        poison(key);
        MPIException error = cause instanceof MPIException known ? known : membership.threw(call, cause);
        byte[] notice = FailedCalls.notice(call, membership.rank, error);
        for (int member : membership.members) {
            if (member != endpoint.rank() && source != null && key >>> 32 != FINALIZE_CONTEXT) {
                source.tell(member, membership, FAILED_CALL, key, notice);
            }
        }
        return error;
    }

    /**
     * As {@link #failed}, where a member is in another collective: it may wait for messages of the other side of an
     * agreement.
     */
    MPIException mismatched(String call, Membership membership, long key, MPIException error) {
        failed(call, membership, CallKey.otherSide(key), error);
        return failed(call, membership, key, error);
    }

    /** A notice has come. */
    public void told(int from, int notice, long key, byte[] words) {
        if (notice != FAILED_CALL) {
            survivors.told(from, notice, key, words);
        } else if (!failed.isPoisoned(key)) {
            failed.add(key, words);
            cursors.failTold(failed);
        }
    }

    /** Throws if a call that waits here has failed on another member. */
    void requireWell(long key, Membership membership) {
        MPIException error = failed.isEmpty() ? null : failed.take(key, membership);
        if (error != null) {
            poison(key);
            throw error;
        }
    }

    /**
     * Whether a rank of the job has not sent the awaited message of this key, but one that comes before or after all
     * such: of two ranks in different collectives only one has something to agree on first.
     */
    boolean contradicts(int world, long key) {
        return hasSent(world, CallKey.otherSide(key)) && !hasSent(world, key)
            && stash.find(world, CHECK, key) == null;
    }

    /** Whether a message of this key is the next on a rank's link, or has been set aside. */
    boolean hasSent(int world, long key) {
        Link link = link(world);
        return link.poll() && link.key() == key || stash.find(world, COLLECTIVE, key) != null;
    }

    /** From now on nothing moves on a communicator but what deals with its failure. What waits there, fails. */
    public void revoke(int context, Membership membership) {
        for (int each : new int[] {context, context | INTERNAL}) {
            failed.revoke(each);
            stash.forgetContext(each);
        }
        membership.revoke();
        cursors.failRevoked();
        if (source != null) {
            source.failLost();
        }
    }

    /** The same for a communicator that this rank has not made yet, or has freed. */
    public void revokeUnknown(int context) {
        failed.revoke(context);
    }

    /** Whether a key is one of a revoked communicator's: messages that still come for it are thrown away. */
    public boolean isRevoked(long key) {
        return failed.isRevoked(key);
    }

    /** Sends the rest of a message that a failed collective has begun. */
    void sendRest(HalfSent message) {
        halfSent.add(message);
    }

    /**
     * Number of messages so far that were taken off their links before they were wanted. For tests: tells whether
     * collectives overlapped.
     */
    public long messagesSetAside() {
        return stash.taken();
    }

    // ---- moving ----

    /** Moves everything that can move now; true if anything did. Under the lock. */
    public boolean poll() {
        boolean moved = cursors.advance();
        if (source != null && (++turnsWithoutSource > MOST_TURNS_WITHOUT_SOURCE || !moved && source.isUnderWay(null))) {
            turnsWithoutSource = 0;
            sourceMoved = source.poll();
            moved |= sourceMoved;
        }
        moved |= companions.poll();
        if (!moved) {
            endpoint.push();
        }
        moved |= halfSent.push();
        if (!moved && !cursors.isEmpty()) {
            moved = cursors.clearTheWay();
        }
        if (moved) {
            turns.moved();
        }
        return moved;
    }

    /**
     * Sets aside the message at the head of a peer's link; false if there was none. Call this when {@link #poll} moved
     * nothing: the message's receiver is not ready, and may never be while the messages behind it stay there. A message
     * that a cursor has begun to take is left to that cursor.
     */
    boolean clear(int peer) {
        Link link = link(peer);
        if (!link.poll()) {
            return false;
        }
        if (failed.drops(link.key())) {
            return link.tryDiscard(Long.MAX_VALUE) > 0 || link.bytes() == 0;
        }
        return (!link.isTaken() || stash.isTaking(peer)) && stash.take(peer, link);
    }

    /**
     * Sets aside the messages of collectives that have not begun here at the heads of all links, except for one
     * collective that is no cursor. For a stuck rank: its peers may be stuck behind those messages.
     */
    boolean clearNotBegun(long butFor) {
        boolean moved = false;
        for (int i = 0, met = endpoint.met(); i < met; i++) {
            int peer = endpoint.met(i);
            Link link = link(peer);
            if (link.poll() && link.key() != butFor && !cursors.isRunning(link.key())) {
                moved |= clear(peer);
            }
        }
        return moved;
    }

    // ---- waiting ----

    /** How often to look at one link before everything else gets a turn: {@code most} or less. Under the lock. */
    public int looks(int most) {
        return turns.waiting().looks(most);
    }

    /**
     * For how many nanoseconds a call may wait for its members in compiled code, under the lock: 0 if others want the
     * lock, or something else may have to move meanwhile.
     */
    int patience() {
        return turns.isAlone() && !lock.isContended() && isQuiet() ? PATIENCE : 0;
    }

    /** How this rank waits. */
    public IdlePolicy waiting() {
        lock.lock();
        try {
            return turns.waiting();
        } finally {
            lock.unlock();
        }
    }

    /** Runs a cursor to its end. Under the lock, which is released between looks. */
    void await(Cursor cursor, String call) {
        Backoff idle = null;
        while (!cursor.finished()) {
            if (poll()) {
                if (idle != null) {
                    idle.reset();
                }
            } else {
                idle = relax(idle, call, null, cursor);
            }
        }
        release(idle);
    }

    /**
     * One turn of waiting: releases the lock, waits a little, takes it again; checks the peers now and then, and ends
     * the job if one is lost.
     *
     * @param idle what the last turn of this wait returned, null in the first
     * @param call for the message if a peer is lost: {@code Barrier}
     * @param membership the members that wait for each other; null for a wait for an operation, which fails by itself
     * @throws MPIException if a member is lost, and the party's errors return
     */
    public Backoff relax(Backoff idle, String call, Membership membership) {
        return relax(idle, call, membership, null);
    }

    /** @param waiter what waits; null if it cannot describe its wait */
    public Backoff relax(Backoff idle, String call, Membership membership, Waiter waiter) {
        Backoff current = turns.current(idle);
        current.watch(waiter, turns.areFirst());
        if (turns.pass(current, current.isWatching() && !sourceMoved && turns.isAlone() && isQuiet(waiter))) {
            turnsWithoutSource = MOST_TURNS_WITHOUT_SOURCE;
            health.check(current, call, membership, waiter);
        }
        if (membership != null && membership.isRevoked()) {
            throw membership.revoked(call);
        }
        return current;
    }

    /**
     * A test or a probe has found nothing. A program that only tests must do what a wait does: look at the peers'
     * health now and then, and leave the processor to the ranks that it waits for. For that this releases the lock. It
     * never sleeps, as the program may have other work.
     */
    public void testedInVain() {
        boolean looks = turns.isLookDue();
        if (looks) {
            health.check(null, "Test", null, null);
        }
        turns.lendIfDue(looks);
    }

    /** How often tests in vain have given the processor away. For tests. Under the lock. */
    public long timesLent() {
        return turns.timesLent();
    }

    /**
     * From now on, a wait here gives these engines turns, too. Without the lock.
     *
     * @param cores this rank's share of the processors among the ranks of all these engines
     */
    public void besides(Progress[] others, CoreShare cores) {
        lock.lock();
        try {
            turns.besides(others, cores);
        } finally {
            lock.unlock();
        }
    }

    /** From now on, long waits are noted there; null: where the endpoint says. */
    public void showWaits(WaitBoard board) {
        turns.showWaits(board);
    }

    /** Whether nothing is under way here. Under the lock. */
    public boolean isQuiet() {
        return isQuiet(null);
    }

    /** The same, but for what waits. */
    private boolean isQuiet(Waiter waiter) {
        return cursors.isEmpty() && halfSent.isEmpty() && companions.isEmpty()
            && (source == null || !source.isUnderWay(waiter));
    }

    /** Ends a wait: takes back what {@link #relax} returned. Null is fine. */
    public void release(Backoff idle) {
        turns.release(idle);
    }

    /**
     * As {@link #relax}, for a wait for one member: if that rank is in Finalize and has sent nothing that could be the
     * awaited message, ends the job, or throws as if the rank were lost.
     *
     * @param peer as rank of the job
     */
    Backoff relaxFor(Backoff idle, String call, Membership membership, int peer, Waiter waiter) {
        if (idle != null && losses.isStarvedBy(peer, link(peer))) {
            throw losses.neverComes(call, membership, peer);
        }
        return relax(idle, call, membership, waiter);
    }

    /**
     * One turn of a wait for something other than messages: moves what can move, else waits a little. If the wait has
     * become long, sets aside messages of collectives that have not begun here, which may block their senders.
     *
     * @param butFor the key whose messages stay where they are
     */
    public Backoff turn(Backoff idle, String call, long butFor, Membership membership) {
        return turn(idle, call, butFor, membership, null);
    }

    /** @param waiter what waits; null if it cannot describe its wait */
    public Backoff turn(Backoff idle, String call, long butFor, Membership membership, Waiter waiter) {
        if (poll()) {
            if (idle != null) {
                idle.reset();
            }
            return idle;
        }
        Backoff next = relax(idle, call, membership, waiter);
        if (next.isLong()) {
            clearNotBegun(butFor);
        }
        return next;
    }

    // ---- lost peers ----

    /** Looks at the peers' health now: for calls that ask who is lost. */
    public void noticeLosses() {
        if (losses.isTolerant() && endpoint.lostPeer() != null) {
            losses.noticed();
            failLost();
        }
    }

    /** A call that waits for nobody looks at the members' health as a wait does, and as rarely. Under the lock. */
    public void lookAfter(Membership membership, String call) {
        health.check(null, call, membership, null);
    }

    /** Fails every operation that waits for a lost rank. */
    void failLost() {
        if (survivors != null) {
            survivors.lost(); // takes what they have sent
        }
        poll(); // what can move, does not wait for them
        cursors.failLost();
        if (source != null) {
            source.failLost();
        }
        companions.failLost();
    }
}

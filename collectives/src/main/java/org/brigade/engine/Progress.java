package org.brigade.engine;

import java.util.HashSet;
import java.util.Set;
import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.bootstrap.CoreShare;
import org.brigade.engine.node.PullSlots;
import org.brigade.engine.node.SharedBuffers;
import org.brigade.transport.Endpoint;
import org.brigade.transport.InboundLink;
import org.brigade.transport.Link;
import org.brigade.transport.PeerTable;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.Wait;
import org.brigade.waiting.WaitBoard;
import org.brigade.waiting.WaitRecord;
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

    private static final long HEALTH_INTERVAL = 20_000_000;
    /**
     * Short turns of waiting in which unawaited messages stay where they are: looking at all peers' messages costs more
     * than looking at the awaited ones.
     */
    private static final int MOST_TURNS_WITHOUT_SOURCE = 16;

    /** Traffic beside the cursors. */
    public interface Source {
        /** Moves what can move now; true if anything did. */
        boolean poll();

        /** Whether something has begun here that only {@link #poll} can end; else polling can wait some turns. */
        boolean isUnderWay();

        /** Fails what waits for lost ranks, or on revoked communicators, as {@link #lost} says. */
        void failLost();

        /**
         * Sends a notice to a rank of the job, which passes it to its {@link #told}.
         *
         * @param notice {@link #FAILED_CALL}, {@link #REVOKED} or {@link #AGREEMENT}
         * @return a word that tells whether it has gone
         */
        Sent tell(int peer, Membership party, int notice, long key, byte[] words);
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

    /** How many tests that find nothing there are for each look at the peers' health. */
    private static final int TESTS_A_LOOK = 32;

    /** Work of this rank that moves without messages, such as calls that run on devices. */
    public interface Companion {
        /** Moves what can move now; true if anything did. It may start collectives. Under the lock. */
        boolean poll();

        /** Fails what waits for lost ranks. */
        void failLost();
    }

    public final Endpoint endpoint;
    public final ProgressLock lock = new ProgressLock();
    /** This rank's last calls; under the lock. */
    public final FlightRecorder recorder;
    /** The collective links to the ranks of the job that this rank has used so far. */
    private final PeerTable<Link> links;
    private final Stash stash;
    /** Replaced by {@link #besides}; under the lock. */
    private Waiting waiting;
    private final Set<Long> poisoned = new HashSet<>();
    private final FailedCalls failedElsewhere = new FailedCalls();
    private Cursor[] cursors = new Cursor[8];
    private int running;
    /** Half-sent messages of failed collectives; almost always empty. */
    private HalfSent[] halfSent = {};
    private Source source;
    /** Those that have work; almost always none. */
    private Companion[] companions = {};
    private boolean inCompanions;
    private Idle[] idles = new Idle[4];
    private int freeIdles;
    private int turnsWithoutSource;
    private long nextHealthCheck;
    /** The wait that is noted for other processes, and what it is; null before the first. */
    private Idle noted;
    private Wait wait;
    /** Where they see it; null if nobody can, and before the first. */
    private WaitRecord record;
    /** The same while this process is in several jobs; else null. */
    private volatile WaitBoard joined;
    /** Whether the loss of a peer may be an error of calls; else it always ends the job. */
    private boolean tolerant;
    /** A peer is lost, and the job goes on. */
    private boolean someoneLost;
    private Survivors survivors;
    /** The contexts of revoked communicators: messages that still come for them are thrown away. */
    private final Set<Integer> revoked = new HashSet<>();
    private int vainTests;
    /** Tests in vain since something has moved. */
    private int vainRow;
    /** When a test in vain has last given the processor away. */
    private long vainSince = System.nanoTime();
    private long lent;
    /** Null, as the next, until a communicator first needs one of them. */
    private PullSlots pullSlots;
    private SharedBuffers sharedBuffers;
    /** The other engines of this process: those by which it is joined to other jobs. */
    private volatile Progress[] beside = {};

    public Progress(Endpoint endpoint, CoreShare cores) {
        this.endpoint = endpoint;
        this.waiting = new Waiting(cores, endpoint.yields(), cores == CoreShare.OWN ? endpoint.homeProcessor() : -1);
        this.recorder = endpoint.recorder();
        recorder.tick(System.nanoTime());
        this.stash = new Stash(endpoint.size());
        this.links = new PeerTable<>(endpoint.size());
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

    /** From now on, every poll gives this a turn. Under the lock. */
    public void accompany(Companion companion) {
        companions = java.util.Arrays.copyOf(companions, companions.length + 1);
        companions[companions.length - 1] = companion;
    }

    /** It has no work at present. Under the lock. */
    public void leave(Companion companion) {
        Companion[] others = new Companion[companions.length - 1];
        int count = 0;
        for (Companion each : companions) {
            if (each != companion) {
                others[count++] = each;
            }
        }
        companions = others;
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

    // ---- cursors ----

    /** Adds a cursor to those that every wait advances. */
    void start(Cursor cursor) {
        if (running == cursors.length) {
            cursors = java.util.Arrays.copyOf(cursors, running * 2);
        }
        cursors[running++] = cursor;
    }

    private void retire(int index) {
        Cursor cursor = cursors[index];
        cursors[index] = cursors[--running];
        cursors[running] = null;
        Cursor.Sequel sequel = cursor.takeSequel();
        if (sequel != null) {
            sequel.ended(cursor);
        }
    }

    /** From now on drops messages with this key: their collective failed here. */
    void poison(long key) {
        poisoned.add(key);
        stash.forget(key);
    }

    /** Whether a collective has failed here, or was reported as failed. */
    boolean isPoisoned(long key) {
        return poisoned.contains(key);
    }

    /**
     * A call has failed on this rank: tells the other members, so that none of them waits for ever for this rank's
     * part. The call fails where it has not ended; later calls are not affected.
     *
     * @return what the call must throw here
     */
    MPIException failed(String call, Membership party, long key, Throwable cause) {
        poison(key);
        MPIException error = cause instanceof MPIException known ? known : party.threw(call, cause);
        byte[] notice = FailedCalls.notice(call, party.rank, error);
        for (int member : party.members) {
            if (member != endpoint.rank() && source != null && key >>> 32 != FINALIZE_CONTEXT) {
                source.tell(member, party, FAILED_CALL, key, notice);
            }
        }
        return error;
    }

    /** A notice has come. */
    public void told(int from, int notice, long key, byte[] words) {
        if (notice != FAILED_CALL) {
            survivors.told(from, notice, key, words);
        } else if (!poisoned.contains(key)) {
            failedElsewhere.add(key, words);
            failTold();
        }
    }

    /** Ends cursors whose calls have failed on other ranks. */
    private void failTold() {
        for (int i = running - 1; i >= 0; i--) {
            Cursor cursor = cursors[i];
            MPIException error = cursor.failedElsewhere(failedElsewhere);
            if (error != null) {
                cursor.fail(error);
                retire(i);
            }
        }
    }

    /** Throws if a call that waits here has failed on another member. */
    void requireWell(long key, Membership party) {
        MPIException error = failedElsewhere.isEmpty() ? null : failedElsewhere.take(key, party);
        if (error != null) {
            poison(key);
            throw error;
        }
    }

    /** Sends the rest of a message that a failed collective has begun. */
    void sendRest(HalfSent message) {
        halfSent = java.util.Arrays.copyOf(halfSent, halfSent.length + 1);
        halfSent[halfSent.length - 1] = message;
        pushHalfSent(); // from now on nothing reads the memory of the failed call
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
        boolean moved = false;
        for (int i = 0; i < running;) {
            Cursor cursor = cursors[i];
            moved |= cursor.advance();
            if (cursor.finished()) {
                retire(i);
            } else {
                i++;
            }
        }
        if (source != null && (++turnsWithoutSource > MOST_TURNS_WITHOUT_SOURCE || !moved && source.isUnderWay())) {
            turnsWithoutSource = 0;
            moved |= source.poll();
        }
        if (companions.length > 0) {
            moved |= pollCompanions();
        }
        if (!moved) {
            endpoint.push();
        }
        if (halfSent.length > 0) {
            moved |= pushHalfSent();
        }
        if (!moved && running > 0) {
            moved = clearTheWay();
        }
        if (moved) {
            vainRow = 0;
        }
        return moved;
    }

    /** Gives the companions alone a turn. Under the lock. */
    public boolean pollCompanions() {
        if (inCompanions) { // one of them has started a collective, which polls
            return false;
        }
        inCompanions = true;
        boolean moved = false;
        try {
            for (Companion companion : companions) {
                moved |= companion.poll();
            }
        } finally {
            inCompanions = false;
        }
        return moved;
    }

    /** Sets aside messages at the heads of links that are in a cursor's way. */
    private boolean clearTheWay() {
        boolean moved = false;
        for (int i = 0; i < running; i++) {
            Cursor cursor = cursors[i];
            for (int lane = 0; lane < cursor.lanes(); lane++) {
                int peer = cursor.blockedBy(lane);
                if (peer >= 0) {
                    moved |= clear(peer);
                }
            }
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
        if (!poisoned.isEmpty() && poisoned.contains(link.key()) || isRevoked(link.key())) {
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
            if (link.poll() && link.key() != butFor && !isRunning(link.key())) {
                moved |= clear(peer);
            }
        }
        return moved;
    }

    private boolean isRunning(long key) {
        for (int i = 0; i < running; i++) {
            if (cursors[i].has(key)) {
                return true;
            }
        }
        return false;
    }

    private boolean pushHalfSent() {
        boolean moved = false;
        int kept = 0;
        for (HalfSent message : halfSent) {
            moved |= message.push();
            if (!message.gone()) {
                halfSent[kept++] = message;
            }
        }
        if (kept < halfSent.length) {
            halfSent = java.util.Arrays.copyOf(halfSent, kept);
        }
        return moved;
    }

    // ---- waiting ----

    /** How often to look at one link before everything else gets a turn: {@code most} or less. Under the lock. */
    public int looks(int most) {
        return waiting.looks(most);
    }

    /** How this rank waits. */
    public Waiting waiting() {
        lock.lock();
        try {
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /** Runs a cursor to its end. Under the lock, which is released between looks. */
    void await(Cursor cursor, String call) {
        Idle idle = null;
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
     * @param party the members that wait for each other; null for a wait for an operation, which fails by itself
     * @throws MPIException if a member is lost, and the party's errors return
     */
    public Idle relax(Idle idle, String call, Membership party) {
        return relax(idle, call, party, null);
    }

    /** @param waiter what waits; null if it cannot describe its wait */
    public Idle relax(Idle idle, String call, Membership party, Waiter waiter) {
        if (idle == null) {
            idle = freeIdles > 0 ? idles[--freeIdles] : new Idle(waiting);
            if (!idle.follows(waiting)) {
                idle = new Idle(waiting);
            }
        }
        lock.unlock();
        boolean longTurn;
        try {
            Progress[] others = beside;
            longTurn = others.length > 0 && anyMoved(others) ? false : idle.idle();
        } finally {
            lock.lock();
        }
        if (longTurn) {
            turnsWithoutSource = MOST_TURNS_WITHOUT_SOURCE;
            checkPeers(idle, call, party, waiter);
        }
        if (party != null && party.isRevoked()) {
            throw party.revoked(call);
        }
        return idle;
    }

    /**
     * A test or a probe has found nothing. A program that only tests must do what a wait does: look at the peers'
     * health now and then, and leave the processor to the ranks that it waits for. For that this releases the lock. It
     * never sleeps, as the program may have other work.
     */
    public void testedInVain() {
        boolean looks = ++vainTests % TESTS_A_LOOK == 0;
        if (looks) {
            checkPeers(null, "Test", null, null);
        }
        if (++vainRow > waiting.quickTests && (looks || waiting.looksAtClock)) {
            lendIfDue(System.nanoTime());
        }
    }

    private void lendIfDue(long now) {
        Waiting rule = waiting;
        if (now - vainSince <= rule.tests) {
            return;
        }
        lock.unlock();
        try {
            rule.lend(now);
        } finally {
            lock.lock();
            lent++;
            vainSince = System.nanoTime();
        }
    }

    /** How often tests in vain have given the processor away. For tests. Under the lock. */
    public long timesLent() {
        return lent;
    }

    /** Gives the other engines of a process a turn, as peers may wait for what they do. Without this engine's lock. */
    private static boolean anyMoved(Progress[] others) {
        boolean moved = false;
        for (Progress other : others) {
            if (other.lock.tryLock()) {
                try {
                    moved |= other.poll();
                } finally {
                    other.lock.unlock();
                }
            }
        }
        return moved;
    }

    /**
     * From now on, a wait here gives these engines turns, too. Without the lock.
     *
     * @param cores this rank's share of the processors among the ranks of all these engines
     */
    public void besides(Progress[] others, CoreShare cores) {
        lock.lock();
        try {
            if (cores != waiting.cores) {
                waiting = new Waiting(cores, endpoint.yields(), -1); // several jobs have homes on the same processors
            }
            beside = others;
        } finally {
            lock.unlock();
        }
    }

    /** From now on, long waits are noted there; null: where the endpoint says. */
    public void showWaits(WaitBoard board) {
        joined = board;
    }

    /** Whether nothing is under way here. Under the lock. */
    public boolean isQuiet() {
        return running == 0 && halfSent.length == 0 && companions.length == 0
            && (source == null || !source.isUnderWay());
    }

    /** Ends a wait: takes back what {@link #relax} returned. Null is fine. */
    public void release(Idle idle) {
        if (idle != null && idle.follows(waiting)) {
            idle.reset();
            if (freeIdles == idles.length) {
                idles = java.util.Arrays.copyOf(idles, freeIdles * 2);
            }
            idles[freeIdles++] = idle;
        }
    }

    /**
     * As {@link #relax}, for a wait for one member: if that rank is in Finalize and has sent nothing that could be the
     * awaited message, ends the job, or throws as if the rank were lost.
     *
     * @param peer as rank of the job
     */
    Idle relaxFor(Idle idle, String call, Membership party, int peer, Waiter waiter) {
        if (idle != null && isStarvedBy(peer, link(peer))) {
            throw neverComes(call, party, peer);
        }
        return relax(idle, call, party, waiter);
    }

    /**
     * Whether a rank of the job is in Finalize and has sent nothing that could be the awaited message.
     *
     * @param link from that rank
     */
    public boolean isStarvedBy(int peer, InboundLink link) {
        return isGone(peer) && peer != endpoint.rank() && !somethingCame(link);
    }

    /** Whether no more messages will come from a rank of the job: it is in Finalize, or has left without it. */
    public boolean isGone(int peer) {
        return endpoint.isLeaving(peer) || hasLeft(peer);
    }

    /** Whether a rank has left without Finalize, in a job where that harms only those that wait for it. */
    boolean hasLeft(int peer) {
        return someoneLost && !tolerant && endpoint.lost(peer) != null;
    }

    /**
     * One turn of a wait for something other than messages: moves what can move, else waits a little. If the wait has
     * become long, sets aside messages of collectives that have not begun here, which may block their senders.
     *
     * @param butFor the key whose messages stay where they are
     */
    public Idle turn(Idle idle, String call, long butFor, Membership party) {
        return turn(idle, call, butFor, party, null);
    }

    /** @param waiter what waits; null if it cannot describe its wait */
    public Idle turn(Idle idle, String call, long butFor, Membership party, Waiter waiter) {
        if (poll()) {
            if (idle != null) {
                idle.reset();
            }
            return idle;
        }
        Idle next = relax(idle, call, party, waiter);
        if (next.isLong()) {
            clearNotBegun(butFor);
        }
        return next;
    }

    /** Whether a link holds anything but a message of Finalize's own barrier. */
    private static boolean somethingCame(InboundLink link) {
        return link.poll() && link.key() >>> 32 != FINALIZE_CONTEXT;
    }

    // ---- lost peers ----

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

    /**
     * What a call must throw that waits for a rank in Finalize which has not sent the awaited message; ends the job if
     * errors are fatal.
     */
    public MPIException neverComes(String call, Membership party, int peer) {
        String lost = tolerant ? party.lostMember(endpoint) : someoneLost ? endpoint.lost(peer) : null;
        if (lost != null) {
            return lost(call, party, lost);
        }
        String why = "rank " + peer
            + " is in MPI.Finalize and has not sent the awaited message; all ranks must make matching calls";
        if (!party.returnsErrors()) {
            JobEnd.starved(endpoint, call, why);
        }
        return party.starved(call, why);
    }

    /** What a call must throw that cannot end because a peer is lost; ends the job if errors are fatal. */
    public MPIException lost(String call, Membership party, String lost) {
        String over = endpoint.over();
        if (over != null || !party.returnsErrors()) {
            JobEnd.because(endpoint, JobEnd.WAITING + call, over != null ? over : lost);
        }
        someoneLost = true;
        return party.lost(call, lost);
    }

    /**
     * What a collective must throw on a communicator that is revoked or has lost a member; null if neither was so at
     * the last check.
     */
    public MPIException lostAlready(String call, Membership party) {
        if (party.isRevoked()) {
            return party.revoked(call);
        }
        String lost = someoneLost && failsAsAWhole(party) ? party.lostMember(endpoint) : null;
        return lost == null ? null : lost(call, party, lost);
    }

    /** Whether the loss of any member is an error of every collective, also of one that does not wait for that rank. */
    private boolean failsAsAWhole(Membership party) {
        return tolerant || party.returnsErrors();
    }

    /** Looks at the peers' health now: for calls that ask who is lost. */
    public void noticeLosses() {
        if (tolerant && endpoint.lostPeer() != null) {
            someoneLost = true;
            failLost();
        }
    }

    /**
     * Whether the barrier within Finalize returns the loss of a rank, and this rank then finalizes without waiting: if
     * the world's errors return, or if the rank can only have left.
     */
    public boolean barrierReturns(boolean worldReturnsErrors) {
        return worldReturnsErrors || !tolerant;
    }

    /** Whether the loss of a rank has been noticed. */
    public boolean isSomeoneLost() {
        return someoneLost;
    }

    /** What a message to or from a rank of the job must throw; null if nothing stands in its way. */
    public MPIException doom(String call, Membership party, int world) {
        if (party.isRevoked()) {
            return party.revoked(call);
        }
        String lost = someoneLost ? endpoint.lost(world) : null;
        return lost == null ? null : sentence(call, party, lost);
    }

    /** As {@link #lost}; if the rank has only left, the job ends when the program waits for the message. */
    private MPIException sentence(String call, Membership party, String lost) {
        return tolerant ? lost(call, party, lost) : party.lost(call, lost);
    }

    /**
     * What the wait for a message must throw; ends the job if it is the loss of a rank, and errors are fatal.
     *
     * @param world the other side, as rank of the job; -1 if it may be any
     */
    public RuntimeException raised(RuntimeException failure, String call, Membership party, int world) {
        if (!tolerant && someoneLost && failure instanceof MPIException error
            && error.getErrorClass() == ErrorClass.PROC_FAILED.code) {
            String its = world >= 0 ? endpoint.lost(world) : null;
            return lost(call, party, its != null ? its : party.lostMember(endpoint));
        }
        return failure;
    }

    /** The same for a receive from any source that waits, or for a probe. */
    public MPIException doomOfAny(String call, Membership party) {
        if (party.isRevoked()) {
            return party.revoked(call);
        }
        String lost = unacknowledged(party);
        return lost == null ? null : sentence(call, party, lost);
    }

    /**
     * What happened to a lost member that might have sent, and that the program has not acknowledged; null if there is
     * none. Where members may leave, null as long as another one is there that may send.
     */
    public String unacknowledged(Membership party) {
        return !someoneLost ? null : tolerant ? party.unacknowledged(endpoint) : party.lastLost(endpoint);
    }

    /** From now on nothing moves on a communicator but what deals with its failure. What waits there, fails. */
    public void revoke(int context, Membership party) {
        for (int each : new int[] {context, context | INTERNAL}) {
            revoked.add(each);
            stash.forgetContext(each);
        }
        party.revoke();
        failRevoked();
        if (source != null) {
            source.failLost();
        }
    }

    /** The same for a communicator that this rank has not made yet, or has freed. */
    public void revokeUnknown(int context) {
        revoked.add(context);
    }

    /** Whether a key is one of a revoked communicator's. */
    public boolean isRevoked(long key) {
        return !revoked.isEmpty() && revoked.contains((int) (key >>> Integer.SIZE));
    }

    private void failRevoked() {
        for (int i = running - 1; i >= 0; i--) {
            Cursor cursor = cursors[i];
            if (cursor.party.isRevoked()) {
                cursor.fail(cursor.party.revoked(cursor.call()));
                retire(i);
            }
        }
    }

    /** Notes a long wait for other processes. */
    private void note(Idle idle, String call, Membership party, Waiter waiter, long now) {
        recorder.tick(now);
        if (wait == null) {
            wait = new Wait();
            record = endpoint.waitRecord();
        }
        WaitBoard several = joined;
        WaitBoard board = several == null ? record : several;
        if (board == null) {
            return;
        }
        if (idle.noted != 0 && idle == noted) {
            board.seen(now);
            return;
        }
        wait.begin(call);
        if (party != null) {
            wait.on(party.name());
        }
        if (waiter != null) {
            waiter.describe(wait);
        } else if (running == 1) {
            cursors[0].describe(wait); // a wait for a nonblocking collective, the only one
        }
        if (idle.noted == 0) {
            idle.noted = now;
        }
        noted = idle;
        board.write(wait, idle.noted, now);
    }

    private void checkPeers(Idle idle, String call, Membership party, Waiter waiter) {
        long now = System.nanoTime();
        if (now - nextHealthCheck < 0) {
            return;
        }
        nextHealthCheck = now + HEALTH_INTERVAL;
        if (idle != null) {
            note(idle, call, party, waiter, now);
        }
        String lost = endpoint.lostPeer();
        if (lost != null) {
            String over = tolerant ? endpoint.over() : endpoint.died();
            if (over != null) {
                JobEnd.because(endpoint, JobEnd.WAITING + call, over);
            }
            someoneLost = true;
            failLost();
            boolean any = party != null && (failsAsAWhole(party) || !looksItself(waiter));
            String lostHere = any ? party.lostMember(endpoint) : null;
            if (lostHere != null) {
                throw lost(call, party, lostHere);
            }
        }
        if (!failedElsewhere.isEmpty()) {
            failTold();
        }
        if (!revoked.isEmpty()) {
            failRevoked(); // those that were prepared earlier, and started since
        }
        for (int i = running - 1; i >= 0; i--) {
            Cursor cursor = cursors[i];
            int peer = cursor.starvedBy();
            int stranger = strangerTo(cursor);
            int deaf = someoneLost ? cursor.sendsInVain() : -1;
            if (peer >= 0 && !somethingCame(link(peer))) {
                cursor.fail(neverComes(call, cursor.party, peer));
                retire(i);
            } else if (stranger >= 0) {
                cursor.failBecauseOf(stranger);
                retire(i);
            } else if (deaf >= 0) {
                cursor.fail(neverComes(call, cursor.party, deaf));
                retire(i);
            }
        }
    }

    /** Whether a wait knows for which rank it waits, and finds out whether that rank has left. */
    private static boolean looksItself(Waiter waiter) {
        Wait its = new Wait();
        if (waiter != null) {
            waiter.describe(its.begin(""));
        }
        return its.peers() > 0 || its.isForMessage();
    }

    /**
     * A rank of the job that has sent data for a call in which it has nothing to send to this rank, so that the two run
     * different algorithms; -1 if there is none.
     */
    private int strangerTo(Cursor cursor) {
        for (int i = 0, met = endpoint.met(); i < met; i++) {
            int peer = endpoint.met(i);
            Link link = link(peer);
            boolean came = link.poll() && cursor.has(link.key())
                && (link.kind() == COLLECTIVE || (link.kind() & ~FORMS) == COLLECTIVE && link.bytes() > 0);
            if (came && !cursor.hears(peer)) {
                return peer;
            }
        }
        return -1;
    }

    /** Fails every operation that waits for a lost rank. */
    private void failLost() {
        if (survivors != null) {
            survivors.lost(); // takes what they have sent
        }
        poll(); // what can move, does not wait for them
        for (int i = running - 1; i >= 0; i--) {
            Cursor cursor = cursors[i];
            String lost = failsAsAWhole(cursor.party) ? cursor.party.lostMember(endpoint) : null;
            if (lost != null) {
                cursor.fail(lost(cursor.call(), cursor.party, lost));
                retire(i);
            }
        }
        if (source != null) {
            source.failLost();
        }
        for (Companion companion : companions) {
            companion.failLost();
        }
    }
}

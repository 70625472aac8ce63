package org.brigade.matching;

import java.util.Arrays;
import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.memory.Region;
import org.brigade.op.LocalCopy;
import org.brigade.transport.Endpoint;
import org.brigade.transport.InboundLink;
import org.brigade.waiting.Waiter;

/**
 * MPI's point-to-point messages on the links' second lane, as they arrive: posted and unexpected queues, wildcards,
 * order, eager and rendezvous ({@link Protocol}). {@link Outgoing} has the sending half. One object for the process;
 * the context tells communicators apart. Under the progress lock.
 */
final class Matching implements Progress.Source {
    /** Looks in vain for the rest of an eager message before the quick receive gives up. */
    private static final int REST_LOOKS = 1000;

    final Progress progress;
    final Outgoing outgoing;
    final Peers peers;
    private final LocalCopy copy = new LocalCopy();
    private final Region scrap = new Region();
    /** Where a message goes that is taken at one look. */
    private final Region look = new Region();

    final PostedReceives posted;
    private final UnexpectedMessages unexpected = new UnexpectedMessages();

    /** Number of peers whose message at the head of their link has a place for its rest. */
    private int places;

    private final HandleTable<RecvOperation> granted = new HandleTable<>();
    /** Operations of blocking receives, for reuse. */
    private RecvOperation freeRecvs;
    /** Grants that found no credit, as triples of peer, the sender's number, our number. */
    private long[] owedGrants = new long[12];
    private int owedGrantCount;

    Matching(Progress progress) {
        this.progress = progress;
        peers = new Peers(progress.endpoint);
        posted = new PostedReceives(progress);
        outgoing = new Outgoing(progress, peers);
        progress.attach(this);
    }

    // ---- receiving ----

    /** Posts a receive; it may be complete on return. */
    void receive(RecvOperation operation) {
        Unexpected message = unexpected.isEmpty() ? null : unexpected.take(operation);
        if (message != null) {
            satisfy(operation, message);
        } else {
            posted.append(operation);
        }
    }

    /** Gives a receive an unexpected message that has been taken out of its queue. */
    void satisfy(RecvOperation operation, Unexpected message) {
        boolean fits = operation.accept(message.world, message.key, message.bytes);
        if (message.request >= 0) {
            grant(message.world, message.request, operation);
            return;
        }
        credit(peers.of(message.world), message.bytes);
        if (message.arrived < message.bytes) {
            message.claimed = operation;
            return;
        }
        unpack(operation, message, fits);
    }

    private void unpack(RecvOperation operation, Unexpected message, boolean fits) {
        long bytes = fits ? message.bytes : operation.capacity;
        copy.copy(operation.place(look), 0, scrap.wrap(message.data, 0), 0, bytes);
        look.clear();
        scrap.clear();
        operation.complete();
    }

    private void grant(int world, long request, RecvOperation operation) {
        long number = granted.put(operation);
        if (!peers.of(world).link.trySendWords(Protocol.GRANT, request, number, 0)) {
            if (owedGrantCount * 3 == owedGrants.length) {
                owedGrants = Arrays.copyOf(owedGrants, owedGrants.length * 2);
            }
            int at = owedGrantCount++ * 3;
            owedGrants[at] = world;
            owedGrants[at + 1] = request;
            owedGrants[at + 2] = number;
        }
    }

    private boolean payGrants() {
        int kept = 0;
        int before = owedGrantCount;
        for (int i = 0; i < before * 3; i += 3) {
            if (!peers.of((int) owedGrants[i]).link.trySendWords(Protocol.GRANT, owedGrants[i + 1], owedGrants[i + 2],
                0)) {
                System.arraycopy(owedGrants, i, owedGrants, kept++ * 3, 3);
            }
        }
        owedGrantCount = kept;
        return kept < before;
    }

    private static void credit(Peer peer, long bytes) {
        peer.owedCredit += bytes + Protocol.EAGER_HEADER;
        if (peer.owedCredit >= Protocol.EAGER_CREDIT / 4
            && peer.link.trySendWords(Protocol.CREDIT, 0, peer.owedCredit, 0)) {
            peer.owedCredit = 0;
        }
    }

    /**
     * Whether a peer's link has a message at its head, at one of so many looks. No looks for a message that has come
     * already, and waits among the unexpected ones.
     */
    boolean somethingFrom(int world, long key, int looks) {
        return !unexpected.has(world, key) && peers.of(world).link.poll(looks);
    }

    /**
     * The quick way for a blocking receive: takes an eager message at the head of its link, if no earlier message
     * matches. Returns its length; -1 if the receive must be posted.
     */
    long tryReceiveNow(MessageContext context, String call, int world, long key, Region target, long capacity) {
        Peer peer = peers.of(world);
        if (peer.filling != null || peer.storing != null || unexpected.has(world, key) || posted.match(world, key)) {
            return -1; // a place is set already, or an earlier message matches
        }
        InboundLink link = peer.link;
        if (!link.poll() || (link.kind() & Protocol.KIND) != Protocol.EAGER || link.key() != key) {
            return -1;
        }
        long bytes = link.bytes();
        if (bytes > Protocol.EAGER_BYTES || bytes > capacity) {
            return -1;
        }
        // The sender is writing the rest, so this takes no longer than a copy, unless the sender loses its processor.
        long done = link.tryRecv(target, 0);
        int looks = 0;
        while (done < bytes && looks < REST_LOOKS) {
            long now = link.tryRecv(target, done);
            done += now;
            looks = now == 0 ? looks + 1 : 0;
        }
        credit(peer, bytes);
        if (done < bytes) {
            awaitRest(context, call, peer, key, target, bytes, done);
        } else {
            context.hasReceived();
        }
        return bytes;
    }

    /**
     * Waits for the rest of the message at the head of a link. The caller's region cannot be used: other threads may
     * use it while this one waits.
     */
    private void awaitRest(MessageContext context, String call, Peer peer, long key, Region target, long bytes,
        long done) {
        RecvOperation operation = borrowRecv().post(context, call, target.buffer(), target.offset(), bytes,
            RecvOperation.ANY, RecvOperation.ANY);
        operation.accept(peer.world, key, bytes);
        peer.filling = operation;
        places++;
        peer.taken = done;
        operation.awaitLocked();
        RuntimeException failure = operation.failure;
        giveBack(operation);
        if (failure != null) {
            throw progress.losses.raised(failure, call, context.membership, peer.world);
        }
    }

    /** An operation for a blocking receive; must be given back. */
    RecvOperation borrowRecv() {
        RecvOperation operation = freeRecvs == null ? new RecvOperation(posted) : freeRecvs;
        freeRecvs = operation.next;
        return operation;
    }

    void giveBack(RecvOperation operation) {
        operation.next = freeRecvs;
        freeRecvs = operation;
    }

    /** Whether no receive of a communicator waits for a message. */
    boolean isQuiet(int context) {
        return !posted.has(context);
    }

    // ---- moving ----

    @Override
    public boolean isUnderWay(Waiter butFor) {
        return !(posted.isEmpty() || posted.isOnly(butFor)) || places > 0 || granted.size() > 0
            || outgoing.isUnderWay();
    }

    @Override
    public boolean poll() {
        boolean moved = false;
        Endpoint endpoint = progress.endpoint;
        for (int i = 0, met = endpoint.met(); i < met; i++) {
            Peer peer = peers.of(endpoint.met(i));
            if (peer.link.poll()) {
                moved |= drain(peer);
            }
        }
        if (owedGrantCount > 0) {
            moved |= payGrants();
        }
        return moved | outgoing.push();
    }

    private boolean drain(Peer peer) {
        InboundLink link = peer.link;
        boolean moved = false;
        do {
            if (peer.filling != null || peer.storing != null) {
                long now = continueHead(peer);
                moved |= now > 0;
                if (peer.filling != null || peer.storing != null) {
                    return moved;
                }
            } else {
                if ((link.kind() & Protocol.KIND) == Protocol.EAGER) {
                    beginEager(peer, link);
                } else {
                    begin(peer);
                }
                moved = true;
            }
        } while (link.poll());
        return moved;
    }

    /** Decides where the eager message at the head of a link goes, and takes as much of it as is there. */
    private void beginEager(Peer peer, InboundLink link) {
        long key = link.key();
        long bytes = link.bytes();
        RecvOperation operation = posted.take(peer.world, key);
        if (operation == null) {
            storeEager(peer, key, bytes);
            return;
        }
        operation.accept(peer.world, key, bytes);
        credit(peer, bytes);
        try {
            peer.taken = fill(operation, link, operation.place(look), 0);
        } catch (RuntimeException | Error failed) { // the message stays at the head, and is still this receive's
            peer.taken = 0;
            peer.filling = operation;
            places++;
            throw failed;
        } finally {
            look.clear();
        }
        if (peer.taken == bytes) {
            operation.complete();
        } else {
            peer.filling = operation;
            places++;
        }
    }

    /** The same if no receive waits for it. */
    private void storeEager(Peer peer, long key, long bytes) {
        peer.taken = 0;
        places++;
        if (progress.isRevoked(key)) {
            credit(peer, bytes);
            peer.filling = RecvOperation.nobodys(posted);
        } else {
            peer.storing =
                unexpected
                    .append(new Unexpected(peer.world, key, bytes, peer.link.kind() >> Protocol.UNIT_SHIFT, -1, 0));
        }
        continueHead(peer);
    }

    /** Decides where the message at the head of a link goes, which is no eager one. */
    private void begin(Peer peer) {
        InboundLink link = peer.link;
        long key = link.key();
        long bytes = link.bytes();
        int unit = link.kind() >> Protocol.UNIT_SHIFT;
        switch (link.kind() & Protocol.KIND) {
            case Protocol.REQUEST -> {
                long length = link.word(0);
                long request = (int) link.word(1);
                int objects = (int) (link.word(1) >>> Integer.SIZE);
                link.tryDiscard(Long.MAX_VALUE);
                RecvOperation operation = posted.take(peer.world, key);
                if (operation != null) {
                    operation.accept(peer.world, key, length);
                    grant(peer.world, request, operation);
                } else if (!progress.isRevoked(key)) {
                    unexpected.append(new Unexpected(peer.world, key, length, unit, request, objects));
                }
            }
            case Protocol.GRANT -> {
                long receivers = link.word(0);
                link.tryDiscard(Long.MAX_VALUE);
                outgoing.granted(key, receivers);
            }
            case Protocol.DATA -> {
                peer.filling = granted.take(key);
                places++;
                peer.taken = 0;
                continueHead(peer);
            }
            case Protocol.NOTICE, Protocol.NOTICE + Progress.REVOKED, Protocol.NOTICE + Progress.AGREEMENT -> {
                peer.taken = 0;
                places++;
                peer.storing =
                    new Unexpected(peer.world, key, bytes, 0, Unexpected.NOTICE - (link.kind() - Protocol.NOTICE), 0);
                continueHead(peer);
            }
            case Protocol.CREDIT -> {
                outgoing.credited(peer, link.word(0));
                link.tryDiscard(Long.MAX_VALUE);
            }
            default -> throw ErrorClass.INTERN.in("MPI", "a message of unknown kind " + link.kind() + " came from rank "
                + peer.world + "; do all ranks run the same brigade.jar?");
        }
    }

    /**
     * Takes more of the message at the head; drops the bytes beyond a receive's capacity. Returns the number of bytes
     * taken.
     */
    private long continueHead(Peer peer) {
        InboundLink link = peer.link;
        RecvOperation operation = peer.filling;
        Unexpected message = peer.storing;
        long whole = link.bytes();
        long now;
        if (operation == null) {
            now = link.tryRecv(scrap.wrap(message.data, 0), peer.taken);
            message.arrived += now;
        } else {
            now = fill(operation, link, operation.place(), peer.taken);
        }
        peer.taken += now;
        if (peer.taken == whole) {
            peer.filling = null;
            peer.storing = null;
            places--;
            if (operation != null) {
                operation.complete();
            } else if (message.request <= Unexpected.NOTICE) {
                progress.told(peer.world, (int) (Unexpected.NOTICE - message.request), message.key, message.data);
            } else if (message.claimed != null) {
                unpack(message.claimed, message, message.bytes <= message.claimed.capacity);
            }
        }
        return now;
    }

    /**
     * Takes bytes of the message at the head. A failing device is an error of the receive, not of the thread that
     * polls; the rest of the message is dropped.
     */
    private static long fill(RecvOperation operation, InboundLink link, Region place, long at) {
        if (!operation.fits()) {
            return link.tryDiscard(Long.MAX_VALUE);
        }
        try {
            return link.tryRecv(place, at);
        } catch (MPIException failed) {
            operation.fail(failed);
            return 0;
        }
    }

    // ---- lost peers ----

    /**
     * Fails messages from and to lost ranks, and all of revoked communicators. A receive from any source fails if a
     * member is lost that might have been the sender, until the program has acknowledged that loss; a nonblocking one
     * stays posted then.
     */
    @Override
    public void failLost() {
        outgoing.failLost();
        for (RecvOperation operation = posted.first(); operation != null;) {
            RecvOperation next = operation.next;
            MPIException why = doom(operation);
            if (why != null) {
                posted.remove(operation);
                fail(operation, why);
                next = posted.first(); // its end may have changed the queue
            }
            operation = next;
        }
        for (int number = 0; number < granted.limit(); number++) {
            RecvOperation operation = granted.get(number);
            MPIException why = doom(operation);
            if (why != null) {
                granted.replace(number, RecvOperation.nobodys(posted));
                fail(operation, why);
            }
        }
        for (int i = 0; i < peers.count(); i++) {
            Peer peer = peers.get(i);
            MPIException why = doom(peer.filling);
            if (why != null) {
                RecvOperation operation = peer.filling;
                peer.link.abandon();
                peer.filling = RecvOperation.nobodys(posted);
                fail(operation, why);
            }
            RecvOperation claiming = peer.storing == null ? null : peer.storing.claimed;
            why = doom(claiming);
            if (why != null) {
                peer.storing.claimed = null;
                fail(claiming, why);
            }
        }
        dropRevoked();
    }

    /** What a receive must throw now; null if it may still end well. */
    MPIException doom(RecvOperation operation) {
        if (operation == null || operation.done) {
            return null;
        }
        int sender = operation.sender();
        if (sender >= 0) {
            return progress.losses.doom(operation.call(), operation.membership(), sender);
        }
        if (operation.ignoresLosses && !operation.membership().isRevoked()) {
            return null;
        }
        MPIException why = progress.losses.doomOfAny(operation.call(), operation.membership());
        if (why != null && operation.staysPosted && !operation.membership().isRevoked()) {
            operation.pending =
                operation.membership().pending(operation.call(),
                    progress.losses.unacknowledged(operation.membership()));
            return null;
        }
        return why;
    }

    /** Forgets the unexpected messages of revoked communicators: nobody receives them. */
    private void dropRevoked() {
        for (Unexpected message = unexpected.first(); message != null; message = message.next) {
            if (progress.isRevoked(message.key)) {
                unexpected.remove(message);
                if (message.request < 0) {
                    credit(peers.of(message.world), message.bytes);
                }
            }
        }
    }

    @Override
    public Progress.Sent tell(int peer, Membership membership, int notice, long key, byte[] words) {
        return outgoing.tell(peer, membership, Protocol.NOTICE + notice, key, words);
    }

    private static void fail(RecvOperation operation, MPIException why) {
        operation.fail(why);
        operation.complete();
    }

    // ---- probing ----

    /** The first unexpected message that a receive with this source and tag would match, or null. */
    Unexpected find(RecvOperation pattern) {
        return unexpected.find(pattern);
    }

    /** As {@link #find}, and takes the message out of its queue. */
    Unexpected take(RecvOperation pattern) {
        return unexpected.take(pattern);
    }
}

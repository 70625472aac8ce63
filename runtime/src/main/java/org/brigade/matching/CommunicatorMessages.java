package org.brigade.matching;

import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Envelope;
import mpi.spi.MatchedMessage;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.SendMode;
import mpi.spi.TypeLayout;
import org.brigade.engine.Backoff;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.engine.ProgressLock;
import org.brigade.memory.Region;
import org.brigade.op.LocalCopy;
import org.brigade.transport.Link;
import org.brigade.waiting.FlightRecorder;

/** The point-to-point side of one communicator. */
public final class CommunicatorMessages {
    /**
     * Bytes that a buffered message takes of the attached buffer beside its own; MPI.BSEND_OVERHEAD must be as much.
     */
    public static final int BSEND_OVERHEAD = 0;
    /**
     * The longest buffered message that may do without room in the attached buffer. Open MPI sends messages of up to
     * this length at once (mca_pml_ob1_send_inline), so programs send them without a buffer.
     */
    private static final int ROOMLESS_BYTES = 256;
    /**
     * Looks at one link before a receive is posted. No pause between them: the message is usually a cache line away.
     */
    private static final int MOST_LOOKS = 2000;

    private final Matching matching;
    final Progress progress;
    // Parts of these two, as each message needs them.
    private final ProgressLock lock;
    private final FlightRecorder recorder;
    private final Outgoing outgoing;
    final MessageContext context;
    final Membership membership;
    final int rank;
    /** Ranks of the job. */
    final int[] members;
    private final Region sending = new Region();
    private final Region receiving = new Region();
    private final RecvOperation pattern;
    /** Persistent operations that have not been freed. */
    private int prepared;

    private CommunicatorMessages(Matching matching, int context, Membership membership) {
        this.matching = matching;
        this.progress = matching.progress;
        lock = progress.lock;
        recorder = progress.recorder;
        outgoing = matching.outgoing;
        this.context = new MessageContext(context, membership);
        this.membership = membership;
        this.rank = membership.rank;
        this.members = membership.members;
        this.pattern = newRecv();
    }

    /** The side of the first communicator; creates the process's matching. */
    public static CommunicatorMessages first(Progress progress, int context, Membership membership) {
        return new CommunicatorMessages(new Matching(progress), context, membership);
    }

    /** The side of another communicator of this process. */
    public CommunicatorMessages another(int context, Membership membership) {
        return new CommunicatorMessages(matching, context, membership);
    }

    /** The receives that wait for messages, of all communicators. */
    PostedReceives posted() {
        return matching.posted;
    }

    /** The buffer that the user has attached for the whole process. */
    AttachedBuffer attached() {
        return outgoing.attached;
    }

    private RecvOperation newRecv() {
        return new RecvOperation(matching.posted);
    }

    /**
     * Messages that this rank has sent here, less those it has received. The sum over all members is the number of
     * unreceived messages.
     */
    public long unreceived() {
        return context.unreceived();
    }

    /** Whether no receive waits here for a message, and no persistent operation can be started any more. */
    public boolean isQuiet() {
        lock.lock();
        try {
            return prepared == 0 && matching.isQuiet(context.number);
        } finally {
            lock.unlock();
        }
    }

    /** Blocking send of the library's own {@code bytes} bytes. */
    public void send(Object buffer, long offset, long bytes, int destination, int tag, SendMode mode) {
        send(buffer, offset, bytes, 0, destination, tag, mode);
    }

    /** Blocking send of {@code bytes} bytes, of which a probe counts units as {@link mpi.spi.TypeLayout#unit} says. */
    public void send(Object buffer, long offset, long bytes, int unit, int destination, int tag, SendMode mode) {
        int world = members[destination];
        long key = context.key(tag);
        lock.lock();
        int noted = notes(FlightRecorder.SEND, destination, tag, bytes);
        try {
            requireOpen("Send");
            context.hasSent();
            if (mode == SendMode.BUFFERED) {
                sendBuffered(buffer, offset, bytes, unit, world, key);
            } else {
                outgoing.sendAndWait(membership, world, key, buffer, offset, sending.wrap(buffer, offset),
                    bytes,
                    unit, mode == SendMode.SYNCHRONOUS);
            }
        } finally {
            sending.clear();
            recorder.ended(noted);
            lock.unlock();
        }
    }

    /** As {@link #send}, without waiting. */
    public Operation isend(Object buffer, long offset, long bytes, int destination, int tag, SendMode mode) {
        return isend(buffer, offset, bytes, 0, destination, tag, mode);
    }

    /** As {@link #send}, without waiting. */
    public Operation isend(Object buffer, long offset, long bytes, int unit, int destination, int tag, SendMode mode) {
        lock.lock();
        try {
            recorder.made(FlightRecorder.ISEND, context.key(tag), destination, bytes);
            if (mode == SendMode.BUFFERED || mode == SendMode.SYNCHRONOUS) {
                return send(null, buffer, offset, bytes, unit, destination, tag, mode);
            }
            requireOpen("Send");
            context.hasSent();
            return sendNow(buffer, offset, bytes, unit, members[destination], context.key(tag));
        } finally {
            lock.unlock();
        }
    }

    /** Sends a message at once if possible, as most eager ones are: nothing of them is left to be described. */
    private Operation sendNow(Object buffer, long offset, long bytes, int unit, int world, long key) {
        long gone = Link.REFUSED;
        sending.wrap(buffer, offset);
        try {
            if (!sending.isDevice()) {
                gone = outgoing.sendAtOnce(world, key, sending, bytes, unit);
            }
        } finally {
            sending.clear();
        }
        if (gone == bytes) {
            return PersistentOperation.Completed.SENT;
        }
        SendOperation operation = new SendOperation(attached());
        operation.begin(membership, world, key, buffer, offset, bytes, unit);
        outgoing.send(operation, gone, false);
        return operation;
    }

    /** Begins a send; under the lock. {@code reused} is an operation that has ended well, or null. */
    SendOperation send(SendOperation reused, Object buffer, long offset, long bytes, int unit, int destination,
        int tag, SendMode mode) {
        int world = members[destination];
        long key = context.key(tag);
        requireOpen("Send");
        context.hasSent();
        if (mode == SendMode.BUFFERED) {
            return sendBuffered(buffer, offset, bytes, unit, world, key);
        }
        SendOperation operation = reused == null ? new SendOperation(attached()) : reused;
        operation.begin(membership, world, key, buffer, offset, bytes, unit);
        outgoing.send(operation, mode == SendMode.SYNCHRONOUS);
        return operation;
    }

    /** Throws if the communicator has been revoked. */
    private void requireOpen(String call) {
        if (membership.isRevoked()) {
            throw membership.revoked(call);
        }
    }

    /** Prepares what {@link #isend} does. */
    public PersistentOperation sendInit(Object buffer, long offset, long bytes, int unit, int destination, int tag,
        SendMode mode) {
        return new PersistentSend(this, buffer, offset, bytes, unit, destination, tag, mode);
    }

    /** Counts persistent operations: one is made, or freed. */
    void prepared(int more) {
        lock.lock();
        prepared += more;
        lock.unlock();
    }

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    /**
     * Sends at once if possible, else copies the message away; either way the caller's buffer is free again and the
     * returned operation is complete.
     */
    private SendOperation sendBuffered(Object buffer, long offset, long bytes, int unit, int world, long key) {
        // Also if it could go at once: whether a program may send it must not depend on how busy the peer is.
        boolean roomless = bytes <= ROOMLESS_BYTES;
        if (!roomless && !attached().mayEverTake(bytes + BSEND_OVERHEAD)) {
            throw noRoom(bytes);
        }
        SendOperation done = new SendOperation(attached());
        done.done = true;
        if (bytes <= Link.PACKET_BYTES
            && outgoing.trySendNow(world, key, sending.wrap(buffer, offset), bytes, unit)) {
            return done;
        }
        boolean taken = attached().takeRoom(bytes + BSEND_OVERHEAD);
        if (!taken && !roomless) {
            throw noRoom(bytes);
        }
        byte[] copy = new byte[Math.toIntExact(bytes)];
        new LocalCopy().copy(new Region().wrap(copy, 0), 0, sending.wrap(buffer, offset), 0, bytes);
        SendOperation operation = new SendOperation(attached()).begin(membership, world, key, copy, 0, bytes, unit);
        operation.buffered = taken ? bytes + BSEND_OVERHEAD : 0;
        outgoing.send(operation, false);
        return done;
    }

    private int notes(int call, int peer, int tag, long bytes) {
        return recorder.enters(call, context.key(tag), peer, bytes);
    }

    private MPIException noRoom(long bytes) {
        String room = attached().mayEverTake(0)
            ? "needs " + (bytes + BSEND_OVERHEAD) + ", and " + attached().room()
                + " bytes of the attached buffer are free; attach a larger one"
            : "needs a buffer, and none is attached; attach one";
        return ErrorClass.BUFFER.in("Bsend", rank, membership.ranks, membership.name(),
            "the buffered message of " + bytes + " bytes " + room
                + " (MPI.attachBuffer, MPI.Buffer_attach), or send in standard mode");
    }

    /** Blocking receive into at most {@code capacity} bytes. */
    public void recv(Object buffer, long offset, long capacity, int source, int tag, Envelope envelope, String call) {
        lock.lock();
        int noted = notes(FlightRecorder.RECV, source, tag, capacity);
        try {
            requireOpen(call);
            if (source >= 0 && tag >= 0) {
                long received = quickly(buffer, offset, capacity, members[source], tag, call);
                if (received >= 0) {
                    envelope.fill(source, tag, received, false);
                    return;
                }
            }
            RecvOperation operation = matching.borrowRecv().post(context, call, buffer, offset, capacity, source, tag);
            matching.receive(operation);
            operation.awaitLocked();
            operation.describe(envelope);
            RuntimeException failure = operation.failure;
            matching.giveBack(operation);
            if (failure != null) {
                throw progress.losses.raised(failure, call, membership, source < 0 ? -1 : members[source]);
            }
        } finally {
            recorder.ended(noted);
            lock.unlock();
        }
    }

    /** The length of a message that is there already; -1 if the receive must be posted. */
    private long quickly(Object buffer, long offset, long capacity, int world, int tag, String call) {
        receiving.wrap(buffer, offset);
        long key = context.key(tag);
        try {
            return matching.somethingFrom(world, key, progress.looks(MOST_LOOKS))
                ? matching.tryReceiveNow(context, call, world, key, receiving, capacity) : -1;
        } finally {
            receiving.clear();
        }
    }

    public Operation irecv(Object buffer, long offset, long capacity, int source, int tag, String call) {
        lock.lock();
        try {
            recorder.made(FlightRecorder.IRECV, context.key(tag), source, capacity);
            return receive((RecvOperation) null, buffer, offset, capacity, source, tag, call);
        } finally {
            lock.unlock();
        }
    }

    /** Begins a receive; under the lock. {@code reused} is an operation that has ended, or null. */
    RecvOperation receive(RecvOperation reused, Object buffer, long offset, long capacity, int source, int tag,
        String call) {
        requireOpen(call);
        RecvOperation operation = reused;
        if (reused == null) {
            operation = new RecvOperation(matching.posted, context, call, buffer, offset, capacity, source, tag);
        } else {
            reused.post(context, call, buffer, offset, capacity, source, tag).staysPosted = true;
        }
        matching.receive(operation);
        return operation;
    }

    /** Begins to receive a message that a matched probe has taken. */
    Operation receive(Unexpected taken, Object buffer, long offset, long capacity, String call) {
        lock.lock();
        try {
            RecvOperation operation = newRecv().post(context, call, buffer, offset, capacity,
                context.rankOf(taken.world), Protocol.tag(taken.key));
            matching.satisfy(operation, taken);
            return operation;
        } finally {
            lock.unlock();
        }
    }

    /** Prepares what {@link #irecv} does. */
    public PersistentOperation recvInit(Object buffer, long offset, long capacity, int source, int tag, String call) {
        return new PersistentRecv(this, buffer, offset, capacity, source, tag, call);
    }

    public boolean iprobe(int source, int tag, Envelope envelope) {
        return look(source, tag, envelope, false) != null;
    }

    public void probe(int source, int tag, Envelope envelope) {
        wait(source, tag, envelope, false);
    }

    /** As {@link #iprobe}, and takes the message out of the queue; null if there is none. */
    public MatchedMessage improbe(int source, int tag, Envelope envelope) {
        Unexpected message = look(source, tag, envelope, true);
        return message == null ? null : new TakenMessage(this, message);
    }

    /** As {@link #probe}, and takes the message out of the queue. */
    public MatchedMessage mprobe(int source, int tag, Envelope envelope) {
        return new TakenMessage(this, wait(source, tag, envelope, true));
    }

    private Unexpected look(int source, int tag, Envelope envelope, boolean take) {
        lock.lock();
        try {
            progress.poll();
            matching.poll();
            Unexpected message = find(source, tag, envelope, take);
            if (message == null) {
                progress.testedInVain();
            }
            return message;
        } finally {
            lock.unlock();
        }
    }

    /** Throws if no message can come from this source, -1 for any, as ranks are lost or the communicator is revoked. */
    public void requirePossible(String call, int source) {
        lock.lock();
        try {
            throwDoom(call, source);
        } finally {
            lock.unlock();
        }
    }

    private void throwDoom(String call, int source) {
        MPIException why =
            source < 0 ? progress.losses.doomOfAny(call, membership)
                : progress.losses.doom(call, membership, members[source]);
        if (why != null) {
            throw progress.losses.raised(why, call, membership, source < 0 ? -1 : members[source]);
        }
    }

    private Unexpected wait(int source, int tag, Envelope envelope, boolean take) {
        lock.lock();
        try {
            Backoff idle = null;
            matching.poll();
            Unexpected message = find(source, tag, envelope, take);
            while (message == null) {
                throwDoom("Probe", source);
                if (!progress.poll() & !matching.poll()) {
                    idle = progress.relax(idle, "Probe", null, pattern);
                }
                message = find(source, tag, envelope, take);
            }
            progress.release(idle);
            return message;
        } finally {
            lock.unlock();
        }
    }

    private Unexpected find(int source, int tag, Envelope envelope, boolean take) {
        pattern.post(context, "Probe", null, 0, 0, source, tag);
        Unexpected message = matching.find(pattern);
        if (message == null || !message.isCounted()) {
            return null;
        }
        if (take) {
            matching.take(pattern);
        }
        envelope.fill(context.rankOf(message.world), Protocol.tag(message.key), message.bytes, false);
        envelope.fillSent(message.sent(), message.unit == TypeLayout.OBJECTS);
        return message;
    }

    /** Room for buffered sends, for the whole process. */
    public void attachBuffer(long bytes) {
        lock.lock();
        try {
            attached().attach(bytes);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for buffered sends, then detaches the buffer. */
    public void detachBuffer() {
        lock.lock();
        try {
            attached().detach();
        } finally {
            lock.unlock();
        }
    }
}

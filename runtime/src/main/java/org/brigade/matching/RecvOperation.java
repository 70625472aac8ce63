package org.brigade.matching;

import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.ArrivingBuffer;
import mpi.spi.Envelope;
import org.brigade.engine.Membership;
import org.brigade.memory.Region;
import org.brigade.nativ.AwaitedWord;
import org.brigade.transport.Endpoint;
import org.brigade.waiting.Wait;

/** A posted receive. */
class RecvOperation extends MessageOperation {
    private final PostedReceives posted;
    /** Where the message goes, until it has ended; {@link #place} is the same. */
    private Object buffer;
    private long offset;
    /** Null unless a message has come here that had to be taken in pieces: most have not. */
    private Region region;
    private MessageContext context;
    private String call;
    int tag;
    long capacity;
    RecvOperation next;
    /** A message has matched, though it may not have arrived. */
    boolean matched;
    boolean cancelled;
    /** Set for a receive from any source whose loss is an error of the wait for it only: it stays posted. */
    boolean staysPosted;
    /** Set for a receive of the library's own from any source: it waits for those that are left. */
    boolean ignoresLosses;
    /** What the next wait or test throws, though the receive stays posted; mostly null. */
    MPIException pending;
    /** Whether its failure has been thrown, as happens once. */
    private boolean raised;
    private int source;
    private int itsTag;
    private long bytes;
    /** Allocates memory for the message when it is known; null if the caller has passed a buffer. */
    private ArrivingBuffer arriving;

    /** @param posted where it waits for a message */
    RecvOperation(PostedReceives posted) {
        super(posted.progress);
        this.posted = posted;
    }

    /**
     * A receive that stays posted, as {@link #post} makes it. All in one, so that a compiler stores each field once.
     */
    RecvOperation(PostedReceives posted, MessageContext context, String call, Object buffer, long offset,
        long capacity, int source, int tag) {
        super(posted.progress);
        this.posted = posted;
        this.context = context;
        this.call = call;
        this.world = source == ANY ? ANY : context.membership.members[source];
        this.tag = tag;
        this.capacity = capacity;
        this.offset = offset;
        if (buffer instanceof ArrivingBuffer allocated) {
            arriving = allocated;
        } else {
            this.buffer = buffer;
        }
        staysPosted = true;
    }

    /** Replaces a receive that has failed: its message is dropped. */
    static RecvOperation nobodys(PostedReceives posted) {
        RecvOperation operation = new RecvOperation(posted);
        operation.done = true;
        operation.failure = new IllegalStateException("nobody waits for it");
        return operation;
    }

    RecvOperation post(MessageContext context, String call, Object buffer, long offset, long capacity, int source,
        int tag) {
        this.context = context;
        this.call = call;
        this.world = source == ANY ? ANY : context.membership.members[source];
        this.tag = tag;
        this.capacity = capacity;
        arriving = buffer instanceof ArrivingBuffer allocated ? allocated : null;
        goesTo(arriving == null ? buffer : null, offset);
        done = false;
        matched = false;
        cancelled = false;
        staysPosted = false;
        pending = null;
        failure = null;
        raised = false;
        next = null;
        return this;
    }

    private void goesTo(Object memory, long from) {
        buffer = memory;
        offset = from;
        if (region != null) {
            if (memory == null) {
                region.clear(); // of a type's items, too
            }
            region.wrap(memory, from);
        }
    }

    /** Where the message goes. The region stays so until the message has ended, so it may be filled in pieces. */
    Region place() {
        if (region == null) {
            region = new Region().wrap(buffer, offset);
        }
        return region;
    }

    /**
     * Where the message goes, for one look at it: mostly the look's own region, so that a short message needs no other.
     */
    Region place(Region ofLook) {
        return region != null || ofLook.wrap(buffer, offset).isDevice() ? place() : ofLook;
    }

    @Override
    String call() {
        return call;
    }

    @Override
    Membership membership() {
        return context.membership;
    }

    @Override
    int awaited() {
        return matched ? -1 : world;
    }

    /** The rank of the job that sends, or must send; {@link #ANY} if it may be any. */
    int sender() {
        return matched ? context.membership.members[source] : world;
    }

    @Override
    boolean isInterrupted() {
        if (pending != null && progress.losses.unacknowledged(membership()) == null) {
            pending = null;
        }
        return pending != null;
    }

    @Override
    public void show(AwaitedWord word) {
        if (matched || world == ANY) {
            word.forget();
        } else {
            progress.endpoint.link(world, Endpoint.POINT_TO_POINT).show(word);
        }
    }

    @Override
    public void describe(Wait wait) {
        super.describe(wait);
        wait.receive(context.number, tag);
        if (matched) {
            wait.peer(context.membership.members[source]);
        }
    }

    @Override
    void starve(MPIException why) {
        posted.remove(this);
        fail(why);
        complete();
    }

    /** The sender of the message that has matched. */
    int source() {
        return source;
    }

    boolean matches(int fromWorld, long key) {
        return (world == ANY || world == fromWorld) && Protocol.context(key) == context.number
            && (tag == ANY || tag == Protocol.tag(key));
    }

    /** A message has matched: stores its sender and tag; true if it fits. */
    boolean accept(int fromWorld, long key, long length) {
        matched = true;
        context.hasReceived();
        source = context.rankOf(fromWorld);
        itsTag = Protocol.tag(key);
        bytes = Math.min(length, capacity);
        if (length > capacity) {
            failure =
                error(ErrorClass.TRUNCATE, "the message from rank " + source + " with tag " + itsTag + " has " + length
                    + " bytes, and the receive buffer's count allows " + capacity
                    + "; receive with a larger count, or probe first. The message is lost");
        } else if (arriving != null) {
            allocate(length);
        }
        return failure == null;
    }

    private void allocate(long length) {
        try {
            goesTo(arriving.allocate(length), 0);
        } catch (OutOfMemoryError e) {
            capacity = 0;
            failure = error(ErrorClass.NO_MEM, "there is no memory for the " + length
                + " bytes of the message from rank " + source + "; start java with a larger -Xmx. The message is lost");
        }
    }

    private MPIException error(ErrorClass errorClass, String what) {
        Membership membership = membership();
        return errorClass.in(call, membership.rank, membership.ranks, membership.name(), what);
    }

    /** Whether it is one of the communicator with this context. */
    boolean isIn(int number) {
        return context.number == number;
    }

    /** Whether the message can still be stored: it is not too long, and nothing has failed. */
    boolean fits() {
        return failure == null;
    }

    void fail(RuntimeException why) {
        failure = why;
    }

    void complete() {
        goesTo(null, 0);
        arriving = null;
        ends();
    }

    @Override
    public boolean hasSucceeded() {
        return hasEndedWell();
    }

    @Override
    void raise() {
        if (pending != null && !done) {
            MPIException once = pending;
            pending = null;
            throw once;
        }
        if (failure != null && !raised) {
            raised = true;
            throw progress.losses.raised(failure, call, membership(), sender());
        }
    }

    @Override
    public void cancel() {
        progress.lock.lock();
        try {
            if (!done && posted.remove(this)) {
                cancelled = true;
                source = ANY;
                itsTag = ANY;
                bytes = 0;
                complete();
            }
        } finally {
            progress.lock.unlock();
        }
    }

    @Override
    public void describe(Envelope envelope) {
        envelope.fill(source, itsTag, bytes, cancelled);
    }
}

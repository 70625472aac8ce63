package org.brigade.matching;

import mpi.ErrorClass;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import org.brigade.engine.Membership;
import org.brigade.memory.Region;

/** A posted receive. */
final class RecvOperation implements Operation {
    static final int ANY = -1;

    private final Matching matching;
    final Region region = new Region();
    private CommunicatorMessages communicator;
    private String call;
    int context;
    /** Rank of the sender in the job, or {@link #ANY}. */
    int world;
    int tag;
    long capacity;
    RecvOperation next;
    boolean done;
    /** Whether a message has matched, though it may not have arrived. */
    boolean matched;
    boolean cancelled;
    private int source;
    private int itsTag;
    private long bytes;
    private RuntimeException failure;

    RecvOperation(Matching matching) {
        this.matching = matching;
    }

    /** Replaces a receive that has failed: its message is dropped. */
    static RecvOperation nobodys(Matching matching) {
        RecvOperation operation = new RecvOperation(matching);
        operation.done = true;
        operation.failure = new IllegalStateException("nobody waits for it");
        return operation;
    }

    RecvOperation post(CommunicatorMessages communicator, String call, Object buffer, long offset, long capacity,
        int source, int tag) {
        this.communicator = communicator;
        this.call = call;
        this.context = communicator.context;
        this.world = source == ANY ? ANY : communicator.members[source];
        this.tag = tag;
        this.capacity = capacity;
        region.wrap(buffer, offset);
        done = false;
        matched = false;
        cancelled = false;
        failure = null;
        next = null;
        return this;
    }

    /** The user's call, for messages. */
    String call() {
        return call;
    }

    Membership party() {
        return communicator.party;
    }

    boolean matches(int fromWorld, long key) {
        return (world == ANY || world == fromWorld) && Protocol.context(key) == context
            && (tag == ANY || tag == Protocol.tag(key));
    }

    /** A message has matched: stores its sender and tag; true if it fits. */
    boolean accept(int fromWorld, long key, long length) {
        matched = true;
        communicator.hasReceived();
        source = communicator.rankOf(fromWorld);
        itsTag = Protocol.tag(key);
        bytes = Math.min(length, capacity);
        if (length > capacity) {
            failure = ErrorClass.TRUNCATE.in(call, communicator.rank, communicator.members.length, communicator.name(),
                "the message from rank " + source + " with tag " + itsTag + " has " + length
                    + " bytes, and the receive buffer's count allows " + capacity
                    + "; receive with a larger count, or probe first. The message is lost");
        }
        return failure == null;
    }

    /** Whether the message can still be stored: it is not too long, and nothing has failed. */
    boolean fits() {
        return failure == null;
    }

    void fail(RuntimeException why) {
        failure = why;
    }

    void complete() {
        done = true;
        region.clear();
    }

    @Override
    public boolean test() {
        matching.progress.lock.lock();
        try {
            if (!done) {
                matching.progress.poll();
            }
            if (done) {
                raise();
            }
            return done;
        } finally {
            matching.progress.lock.unlock();
        }
    }

    @Override
    public void await() {
        matching.progress.lock.lock();
        try {
            matching.await(this, call);
            raise();
        } finally {
            matching.progress.lock.unlock();
        }
    }

    /** What went wrong, or null. */
    RuntimeException failure() {
        return failure;
    }

    void raise() {
        if (failure != null) {
            RuntimeException once = failure;
            failure = null;
            throw once;
        }
    }

    boolean completed() {
        return done;
    }

    @Override
    public void cancel() {
        matching.progress.lock.lock();
        try {
            if (!done && matching.withdraw(this)) {
                cancelled = true;
                source = ANY;
                itsTag = ANY;
                bytes = 0;
                complete();
            }
        } finally {
            matching.progress.lock.unlock();
        }
    }

    @Override
    public void describe(Envelope envelope) {
        envelope.fill(source, itsTag, bytes, cancelled);
    }
}

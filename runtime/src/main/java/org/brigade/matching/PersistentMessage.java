package org.brigade.matching;

import mpi.spi.Envelope;
import mpi.spi.PersistentOperation;

/** A send or a receive that is started again and again; every start is a message of its own. */
abstract class PersistentMessage implements PersistentOperation {
    final CommunicatorMessages messages;
    final Object buffer;
    final long offset;
    final long bytes;
    /** Rank of the other side in the communicator; may be {@link RecvOperation#ANY}. */
    final int peer;
    final int tag;
    /** Of the last start. Other threads than the one that has started it may ask for it. */
    private volatile MessageOperation last;
    private boolean freed;

    PersistentMessage(CommunicatorMessages messages, Object buffer, long offset, long bytes, int peer, int tag) {
        this.messages = messages;
        this.buffer = buffer;
        this.offset = offset;
        this.bytes = bytes;
        this.peer = peer;
        this.tag = tag;
        messages.prepared(1);
    }

    /** Starts a message. Under the progress lock. @return its operation, which may be that of the last start */
    abstract MessageOperation begin();

    @Override
    public final void start() {
        messages.lock();
        try {
            last = begin();
        } finally {
            messages.unlock();
        }
    }

    @Override
    public final void free() {
        if (!freed) {
            freed = true;
            messages.prepared(-1);
        }
    }

    @Override
    public final boolean hasSucceeded() {
        return last.hasSucceeded();
    }

    @Override
    public final boolean test() {
        return last.test();
    }

    @Override
    public final void await() {
        last.await();
    }

    @Override
    public final void cancel() {
        last.cancel();
    }

    @Override
    public final void describe(Envelope envelope) {
        last.describe(envelope);
    }
}

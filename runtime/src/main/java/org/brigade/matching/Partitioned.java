package org.brigade.matching;

import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.PersistentOperation;
import org.brigade.engine.Membership;

/** A send or a receive in partitions: it has ended when the messages that it consists of have. */
abstract class Partitioned extends MessageOperation implements PersistentOperation.InPartitions {
    final PartitionedMessages owner;
    final CommunicatorMessages messages;
    final Object buffer;
    final long offset;
    final int partitions;
    /** Of a partition. */
    final long bytes;
    /** Rank of the other side in the communicator. */
    final int peer;
    final String call;
    private boolean freed;

    Partitioned(PartitionedMessages owner, Object buffer, long offset, int partitions, long bytes, int peer,
        String call) {
        super(owner.messages.progress);
        this.owner = owner;
        this.messages = owner.messages;
        this.buffer = buffer;
        this.offset = offset;
        this.partitions = partitions;
        this.bytes = bytes;
        this.peer = peer;
        this.call = call;
        world = messages.members[peer];
        done = true;
    }

    /** Starts it; under the lock, and it is done. */
    abstract void begin();

    /** It is freed, if it can be; under the lock. */
    abstract void release();

    @Override
    public final void start() {
        messages.lock();
        try {
            if (!done) {
                throw error(ErrorClass.REQUEST, "start", "the last start is still under way; wait for it first");
            }
            failure = null;
            done = false;
            begin();
        } finally {
            messages.unlock();
        }
    }

    @Override
    public final void free() {
        messages.lock();
        try {
            if (freed) {
                return;
            }
            release();
            freed = true;
        } finally {
            messages.unlock();
        }
        messages.prepared(-1);
    }

    final MPIException error(ErrorClass errorClass, String failed, String what) {
        return errorClass.in(failed, messages.rank, messages.membership.ranks, messages.membership.name(), what);
    }

    @Override
    final String call() {
        return call;
    }

    @Override
    final Membership membership() {
        return messages.membership;
    }

    @Override
    final void raise() {
        if (failure != null) {
            RuntimeException once = failure;
            failure = null;
            throw progress.losses.raised(once, call(), membership(), world);
        }
    }

    /** The standard does not allow it. */
    @Override
    public final void cancel() {
    }
}

package org.brigade.matching;

import java.util.BitSet;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Envelope;
import mpi.spi.SendMode;

/** A send in partitions. Each is a message of its own, which goes as soon as the partition is ready. */
final class PartitionedSend extends Partitioned {
    /** Tag of partition 0; each further partition has the tag below. */
    final int firstTag;
    private final Part[] parts;
    private final BitSet ready = new BitSet();
    private int unready;
    private int underWay;

    PartitionedSend(PartitionedMessages owner, Object buffer, long offset, int partitions, long bytes, int destination,
        int firstTag, String call) {
        super(owner, buffer, offset, partitions, bytes, destination, call);
        this.firstTag = firstTag;
        try {
            parts = new Part[partitions];
        } catch (OutOfMemoryError e) {
            throw error(ErrorClass.NO_MEM, call,
                partitions + " partitions need more memory than this JVM has; pass fewer, or a larger -Xmx");
        }
    }

    @Override
    void begin() {
        ready.clear();
        unready = partitions;
        done = partitions == 0;
    }

    @Override
    public void ready(int first, int last, String said) {
        messages.lock();
        try {
            if (done && unready == 0) {
                throw error(ErrorClass.REQUEST, said,
                    "the request is not active; start it before its partitions become ready");
            }
            int twice = ready.nextSetBit(first);
            if (twice >= 0 && twice <= last) {
                throw error(ErrorClass.REQUEST, said,
                    "partition " + twice + " is ready already; mark each partition once after a start");
            }
            ready.set(first, last + 1);
            unready -= last - first + 1;
            for (int partition = first; partition <= last; partition++) {
                send(partition);
            }
        } finally {
            messages.unlock();
        }
    }

    private void send(int partition) {
        Part part = parts[partition];
        if (part == null || part.hasFailed()) { // a grant may still come for a failed one
            part = new Part();
            parts[partition] = part;
        }
        underWay++;
        done = false;
        messages.send(part, buffer, offset + partition * bytes, bytes, 0, peer, firstTag - partition,
            SendMode.STANDARD);
    }

    /** If a message has failed, those of partitions that are not ready may never come. */
    private void ended(RuntimeException why) {
        if (failure == null) {
            failure = why;
        }
        done = --underWay == 0 && (unready == 0 || failure != null);
    }

    @Override
    public boolean arrived(int partition) {
        throw new IllegalStateException("a send");
    }

    @Override
    void release() {
        if (!done && unready > 0) {
            throw error(ErrorClass.REQUEST, "free", "the request is active, and " + unready + " of its " + partitions
                + " partitions are not ready; mark them and wait before freeing it");
        }
        owner.freed(this);
    }

    @Override
    int awaited() {
        for (Part part : parts) {
            if (part != null && !part.done && part.awaited() >= 0) {
                return world;
            }
        }
        return -1;
    }

    @Override
    void starve(MPIException why) {
        for (Part part : parts) {
            if (part != null && !part.done && part.awaited() >= 0) {
                part.fail(why);
            }
        }
    }

    @Override
    public void describe(Envelope envelope) {
        envelope.fill(ANY, ANY, 0, false);
    }

    /** The message of one partition. */
    private final class Part extends SendOperation {
        private boolean counted;

        Part() {
            super(messages.attached());
        }

        @Override
        SendOperation begin(org.brigade.engine.Membership communicator, int to, long key, Object data, long from,
            long length, int unit) {
            counted = false;
            return super.begin(communicator, to, key, data, from, length, unit);
        }

        @Override
        void complete() {
            super.complete();
            count();
        }

        @Override
        void failHalfSent(RuntimeException why) {
            super.failHalfSent(why);
            count();
        }

        /** A message that has failed half sent completes later once more. */
        private void count() {
            if (!counted) {
                counted = true;
                ended(failure);
            }
        }
    }
}

package org.brigade.matching;

import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Envelope;

/** A receive in partitions. It receives the sender's partitions, whose number it learns when the two have met. */
final class PartitionedRecv extends Partitioned {
    final int tag;
    /** One for each partition of the sender; null until they have met. */
    private Part[] parts;
    private int firstTag;
    /** Bytes of a partition of the sender. */
    private long partBytes;
    /** Why the sender's bytes do not fit; null if they do. */
    private MPIException unequal;
    private int left;

    PartitionedRecv(PartitionedMessages owner, Object buffer, long offset, int partitions, long bytes, int source,
        int tag, String call) {
        super(owner, buffer, offset, partitions, bytes, source, call);
        this.tag = tag;
    }

    /** @param words of the sender's introduction */
    void meet(long[] words) {
        firstTag = (int) words[1];
        partBytes = words[3];
        parts = parts((int) words[2]);
        if (unequal == null && parts.length * partBytes != partitions * bytes) {
            boolean longer = parts.length * partBytes > partitions * bytes;
            unequal = error(longer ? ErrorClass.TRUNCATE : ErrorClass.COUNT, call,
                "rank " + peer + " sends " + parts.length + " partitions of " + partBytes + " bytes with tag " + tag
                    + ", and " + partitions + " of " + bytes + " are expected; their sums must be equal");
        }
        if (!done) {
            post();
        }
    }

    /** The sender may have more memory than this rank, which may be in any call now. */
    private Part[] parts(int number) {
        try {
            return new Part[number];
        } catch (OutOfMemoryError e) {
            unequal = error(ErrorClass.NO_MEM, call, "rank " + peer + " sends " + number + " partitions, which need"
                + " more memory than this JVM has; let it send fewer, or pass a larger -Xmx");
            return new Part[0];
        }
    }

    @Override
    void begin() {
        if (parts != null) {
            post();
        } else {
            owner.ask(peer);
        }
    }

    private void post() {
        left = parts.length;
        if (left == 0) {
            end();
        }
        for (int i = 0; i < parts.length; i++) {
            if (parts[i] == null) {
                parts[i] = new Part();
            }
            // What does not fit is received into nothing, so that the sender does not wait.
            messages.receive(parts[i], unequal == null ? buffer : null, unequal == null ? offset + i * partBytes : 0,
                unequal == null ? partBytes : 0, peer, firstTag - i, call);
        }
    }

    private void ended(RuntimeException why) {
        if (failure == null) {
            failure = why;
        }
        if (--left == 0) {
            end();
        }
    }

    private void end() {
        if (unequal != null) {
            failure = unequal;
        }
        done = true;
    }

    /** The sender is lost. */
    void failUnmet(RuntimeException why) {
        if (!done) {
            failure = why;
            done = true;
        }
    }

    @Override
    public void ready(int first, int last, String said) {
        throw new IllegalStateException("a receive");
    }

    @Override
    public boolean arrived(int partition) {
        messages.lock();
        try {
            if (!done) {
                progress.poll();
            }
            boolean arrived = done || parts != null && unequal == null && hasArrived(partition);
            if (!arrived) {
                progress.testedInVain();
            }
            return arrived;
        } finally {
            messages.unlock();
        }
    }

    private boolean hasArrived(int partition) {
        if (bytes == 0) {
            return false; // nothing tells which of the sender's empty partitions it is
        }
        int last = (int) (((partition + 1) * bytes - 1) / partBytes);
        for (int i = (int) (partition * bytes / partBytes); i <= last; i++) {
            if (!parts[i].done) {
                return false;
            }
        }
        return true;
    }

    /** If it has not met its sender, it stays in line, so that the next receive does not take its place. */
    @Override
    void release() {
    }

    @Override
    int awaited() {
        for (int i = 0; parts != null && i < parts.length; i++) {
            if (!parts[i].matched) {
                return world;
            }
        }
        return parts == null ? world : -1;
    }

    @Override
    void starve(MPIException why) {
        if (parts == null) {
            failUnmet(why);
            return;
        }
        for (Part part : parts) {
            if (!part.matched && !part.done) {
                part.starve(why);
            }
        }
    }

    @Override
    public void describe(Envelope envelope) {
        envelope.fill(peer, tag, partitions * bytes, false);
    }

    /** The message of one of the sender's partitions. */
    private final class Part extends RecvOperation {
        Part() {
            super(messages.posted());
        }

        @Override
        void complete() {
            super.complete();
            ended(failure);
        }
    }
}

package org.brigade.matching;

import mpi.MPIException;
import mpi.spi.Envelope;
import mpi.spi.TypeLayout;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.memory.Region;
import org.brigade.op.LocalCopy;
import org.brigade.waiting.Wait;

/** A send under way: queued for its link, waiting for the receiver's grant, or on its way. */
class SendOperation extends MessageOperation implements Progress.Sent {
    private final AttachedBuffer attached;
    /** What is sent. */
    final Region region = new Region();
    Membership membership;
    /** Kind of the message that it sends next: EAGER, REQUEST or DATA. */
    int kind;
    long key;
    long bytes;
    long sent;
    /** What a probe counts: {@link TypeLayout#unit}. */
    int unit;
    /** The number in its request; -1 before it has one. */
    int number;
    SendOperation next;
    /** Bytes of the attach buffer to give back at the end. */
    long buffered;

    /** @param attached where a buffered message gives its room back */
    SendOperation(AttachedBuffer attached) {
        super(attached.progress);
        this.attached = attached;
    }

    SendOperation begin(Membership communicator, int world, long key, Object buffer, long offset, long bytes,
        int unit) {
        membership = communicator;
        failure = null;
        this.world = world;
        this.key = key;
        this.bytes = bytes;
        this.unit = unit;
        region.wrap(buffer, offset);
        sent = 0;
        number = -1;
        done = false;
        next = null;
        buffered = 0;
        return this;
    }

    /** Its kind on the link. */
    int linkKind() {
        return kind | unit << Protocol.UNIT_SHIFT;
    }

    /** The number of objects in it; 0 if it is not of objects. */
    long objects() {
        if (unit != TypeLayout.OBJECTS) {
            return 0;
        }
        long[] number = new long[1];
        new LocalCopy().copy(new Region().wrap(number, 0), 0, region, 0, Long.BYTES);
        return number[0];
    }

    @Override
    String call() {
        return "Send";
    }

    @Override
    Membership membership() {
        return membership;
    }

    @Override
    int awaited() {
        return kind == Protocol.REQUEST && number >= 0 ? world : -1;
    }

    @Override
    public void describe(Wait wait) {
        super.describe(wait);
        wait.send(Protocol.context(key), Protocol.tag(key));
        wait.peer(world);
    }

    @Override
    void starve(MPIException why) {
        fail(why);
    }

    void complete() {
        region.clear();
        if (buffered > 0) {
            attached.giveBack(buffered);
        }
        ends();
    }

    /** Ends it with an error, which its user receives once. */
    void fail(RuntimeException why) {
        failure = why;
        complete();
    }

    /**
     * As {@link #fail}, when a part has been sent: the user's memory is free again, and the rest is sent from a copy,
     * as the link takes nothing else until the message has ended.
     */
    void failHalfSent(RuntimeException why) {
        byte[] copy = new byte[Math.toIntExact(bytes)];
        new LocalCopy().copy(new Region().wrap(copy, 0), 0, region, 0, bytes);
        region.wrap(copy, 0);
        failure = why;
        ends();
    }

    @Override
    public boolean hasSucceeded() {
        return hasEndedWell();
    }

    @Override
    public boolean hasGone() {
        return done;
    }

    boolean hasFailed() {
        return failure != null;
    }

    @Override
    void raise() {
        if (failure != null && buffered == 0) {
            throw progress.losses.raised(failure, call(), membership, world);
        }
    }

    /** Sends are not cancelled: MPI allows that, and says so in the status. */
    @Override
    public void cancel() {
    }

    @Override
    public void describe(Envelope envelope) {
        envelope.fill(ANY, ANY, 0, false);
    }
}

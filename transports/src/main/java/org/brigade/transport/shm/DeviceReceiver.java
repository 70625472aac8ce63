package org.brigade.transport.shm;

import java.io.IOException;
import java.nio.file.Path;
import mpi.ErrorClass;
import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.device.Devices;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.transport.staging.MultiPathCopy;
import org.brigade.transport.staging.Pipeline;
import org.brigade.transport.staging.StagingArea;
import org.brigade.transport.staging.StagingReceiver;

/**
 * The receiving end of messages that were offered ({@link DeviceSender} has the protocol), and of those in the ring
 * that go to device memory: their chunks are copied on beside the processor while more arrive. What a copy has begun
 * for counts as taken once it has ended.
 */
final class DeviceReceiver {
    /** Messages in the ring up to here are copied in one go, by the processor's leave. */
    private static final long RING_AT_ONCE = 64 << 10;
    /** Of a longer one, what is there is left to grow up to here while copies run. */
    private static final int RING_PIECE = 64 << 10;
    private static final int RING_DEPTH = 8;

    private enum State { NONE, PULLING, WAITING, STAGING }

    private final DeviceSide side;
    private final ChannelReceiver in;
    private final int peer;

    private MultiPathCopy pull;
    private StagingReceiver staging;
    private Pipeline ring;
    private State state = State.NONE;
    /** Bytes of the message in the ring that copies have begun for; counts while some run. */
    private long ringStarted;

    DeviceReceiver(DeviceSide side, ChannelReceiver in, int peer) {
        this.side = side;
        this.in = in;
        this.peer = peer;
    }

    /** Whether copies run for the message at the head, so that it has to be left to whoever began them. */
    boolean isBusy() {
        return state == State.PULLING || state == State.STAGING || ring != null && !ring.isEmpty();
    }

    long tryRecv(Region target, long at) {
        if (!in.isOffered()) {
            return tryRecvRing(target, at);
        }
        if (state == State.NONE && !beginPull(target, at)) {
            beginStaging();
        }
        if (state == State.PULLING) {
            return pull.ended() ? endPull() : 0;
        }
        if (!isStaged()) {
            return in.isOffered() ? 0 : tryRecv(target, at);
        }
        if (target.isDevice() && side.copies() != null) {
            staging.use(side.copies());
        }
        return taken(staging.take(target, at));
    }

    long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        if (state == State.NONE) {
            beginStaging();
        }
        if (!isStaged()) {
            return in.isOffered() ? 0 : in.tryRecvReduce(combiner, operand, operandAt, target, targetAt);
        }
        return taken(staging.takeReduce(combiner, operand, operandAt, target, targetAt));
    }

    long tryDiscard(long limit) {
        if (ring != null && !ring.isEmpty()) {
            return takeRing(ring.drop());
        }
        if (!in.isOffered()) {
            return in.tryDiscard(limit);
        }
        if (state == State.NONE) {
            if (limit >= in.remaining()) {
                in.answer(ChannelDescriptor.TAKEN, in.bytes());
                return in.takeOffered(in.remaining());
            }
            beginStaging();
        }
        if (state == State.PULLING) {
            return pull.dropped() ? endPull() : 0;
        }
        if (!isStaged()) {
            return in.isOffered() ? 0 : in.tryDiscard(limit);
        }
        return taken(staging.discard(limit));
    }

    // ---- straight from the peer's device memory ----

    /** False if that is no way for this message. */
    private boolean beginPull(Region target, long at) {
        CopyEngine engine = target.isDevice() && in.offerExport() != Devices.UNREACHABLE ? side.copies() : null;
        if (engine == null) {
            return false;
        }
        DeviceBuffer device = (DeviceBuffer) target.buffer();
        long mapped = engine.map(side.endpoint, peer, in.offerExport(), in.offerOffset(), device);
        if (mapped == 0) {
            return false;
        }
        long bytes = in.bytes();
        long hostBytes = in.offerArea()
            ? MultiPathCopy.hostBytes(bytes, engine.hostShare(side.endpoint, peer, in.offerExport(), device)) : 0;
        if (hostBytes > 0) {
            openArea();
            staging.use(engine);
            in.answer(ChannelDescriptor.TAKING, bytes - hostBytes);
        }
        if (pull == null) {
            pull = new MultiPathCopy(engine.queue());
        }
        state = State.PULLING;
        pull.begin(mapped, target, at, bytes, hostBytes, staging);
        return true;
    }

    private long endPull() {
        state = State.NONE;
        in.answer(ChannelDescriptor.TAKEN, in.bytes());
        return in.takeOffered(in.remaining());
    }

    // ---- through the staging area ----

    private void beginStaging() {
        in.answer(ChannelDescriptor.TAKING, 0);
        state = State.WAITING;
    }

    /**
     * Whether the sender's bytes come through the staging area; if not, they will, or the message is one in the ring
     * now.
     */
    private boolean isStaged() {
        if (state == State.WAITING) {
            if (in.offerByRing()) {
                state = State.NONE;
                return false;
            }
            if (staging == null && !openArea()) {
                return false;
            }
            staging.begin(in.bytes());
            state = State.STAGING;
        }
        return true;
    }

    private boolean openArea() {
        if (staging != null) {
            return true;
        }
        byte[] name = in.area();
        if (name == null) {
            return false;
        }
        Path file = side.file(DeviceSide.name(name));
        try {
            staging = new StagingReceiver(StagingArea.open(file));
            return true;
        } catch (IOException gone) {
            throw ErrorClass.OTHER.in("device memory",
                "the memory " + file + " that rank " + peer + " sends through cannot be mapped (" + gone.getMessage()
                    + "); the ranks must see one " + file.getParent()
                    + ", and nobody may clean it up while a job runs");
        }
    }

    private long taken(long now) {
        in.takeOffered(now);
        if (!in.isOffered()) {
            state = State.NONE;
        }
        return now;
    }

    // ---- out of the ring ----

    private long tryRecvRing(Region target, long at) {
        if (!target.isDevice() || ring == null && (in.bytes() <= RING_AT_ONCE || side.copies() == null)) {
            return in.tryRecv(target, at);
        }
        if (ring == null) {
            ring = new Pipeline(side.copies().queue(), RING_DEPTH);
        }
        long bytes = in.bytes();
        long taken = bytes - in.remaining();
        if (ring.isEmpty()) {
            if (bytes <= RING_AT_ONCE) {
                return in.tryRecv(target, at);
            }
            ringStarted = taken;
        }
        while (!ring.isFull() && ringStarted < bytes) {
            int there = in.inRingFrom(ringStarted);
            if (there == 0 || there < RING_PIECE && ringStarted + there < bytes && !ring.isEmpty()) {
                break;
            }
            long end = ringStarted + there;
            ring.write(side.segment(), in.ringPosition(ringStarted), (DeviceBuffer) target.buffer(),
                target.offset() + at - taken + ringStarted, there, end);
            ringStarted = end;
        }
        return takeRing(ring.advance());
    }

    private long takeRing(long end) {
        return end < 0 ? 0 : in.takeRing((int) (end - (in.bytes() - in.remaining())));
    }

    void close() {
        if (pull != null) {
            pull.close();
        }
        if (staging != null) {
            staging.close();
        }
        if (ring != null) {
            ring.close();
        }
    }
}

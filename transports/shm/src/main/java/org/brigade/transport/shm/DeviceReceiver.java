package org.brigade.transport.shm;

import java.io.IOException;
import mpi.ErrorClass;
import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.device.CopyQueue;
import org.brigade.device.Devices;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.transport.staging.StagingArea;
import org.brigade.transport.staging.StagingEnd;

/**
 * The receiving end of offered messages ({@link DeviceSender} describes the protocol), and of messages in the ring that
 * go to device memory. The device copies their chunks out of the ring while more arrive.
 *
 * <p>
 * A very long message between two devices is divided. The copy engine brings its first bytes over the link between the
 * GPUs. Its last bytes come through the staging area at the same time. The two ways share only their ends, so the total
 * time is that of the slower way. If the host's part is too large, the message takes longer than undivided.
 */
final class DeviceReceiver {
    /** Shorter messages are not divided: they end before the way through the host gets going. */
    static final long SHORTEST_DIVIDED = 64L << 20;

    private static final int ALIGNMENT = 2 << 20;
    private static final int PERCENT = 100;

    /** Messages in the ring up to this length are copied in one go, and the processor waits. */
    private static final int RING_AT_ONCE = 64 << 10;

    private enum State { NONE, PULLING, WAITING, STAGING }

    private final DeviceSide side;
    private final ChannelReceiver in;
    private final int peer;

    private StagingEnd staging;
    private State state = State.NONE;
    private CopyQueue pulls;
    /** Whether the copy from the peer's device is running, and how many bytes of the message it brings. */
    private boolean pulling;
    private long pulled;

    DeviceReceiver(DeviceSide side, ChannelReceiver in, int peer) {
        this.side = side;
        this.in = in;
        this.peer = peer;
    }

    /** Whether copies are running for the message at the head. Then only the caller that began them may take it. */
    boolean isBusy() {
        return state == State.PULLING || state == State.STAGING;
    }

    long tryRecv(Region target, long at) {
        if (!in.isOffered()) {
            return target.isDevice() && in.bytes() > RING_AT_ONCE && side.copies() != null
                ? in.copyToDevice(side.copies(), target, at) : in.tryRecv(target, at);
        }
        if (state == State.NONE && !beginPull(target, at)) {
            beginStaging();
        }
        if (state == State.PULLING) {
            if (isDivided()) {
                staging.pipeline().write(target, at + pulled);
            }
            return endPull();
        }
        if (!isStaged()) {
            return in.isOffered() ? 0 : tryRecv(target, at);
        }
        if (target.isDevice()) {
            staging.use(side.copies());
        }
        return taken(staging.pipeline().write(target, at - taken()));
    }

    long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        if (state == State.NONE) {
            beginStaging();
        }
        if (!isStaged()) {
            return in.isOffered() ? 0 : in.tryRecvReduce(combiner, operand, operandAt, target, targetAt);
        }
        return taken(
            staging.pipeline().reduce(combiner, operand, operandAt - taken(), target, targetAt - taken()));
    }

    long tryDiscard(long limit) {
        if (state == State.NONE) {
            if (limit >= in.remaining() && in.accept()) {
                in.answer(ChannelDescriptor.TAKEN, in.bytes());
                return in.takeElsewhere(in.remaining());
            }
            beginStaging();
        }
        if (state == State.PULLING) {
            if (isDivided()) {
                staging.pipeline().discard(Long.MAX_VALUE);
            }
            try {
                return endPull();
            } catch (RuntimeException failed) {
                return endPull(); // nobody needs the bytes
            }
        }
        if (!isStaged()) {
            return in.isOffered() ? 0 : in.tryDiscard(limit);
        }
        return taken(staging.pipeline().discard(limit));
    }

    private long taken() {
        return in.bytes() - in.remaining();
    }

    // ---- straight from the peer's device memory ----

    /** False if this message cannot come straight from the peer's device. */
    private boolean beginPull(Region target, long at) {
        CopyEngine engine = target.isDevice() && in.offerExport() != Devices.UNREACHABLE ? side.copies() : null;
        if (engine == null) {
            return false;
        }
        DeviceBuffer device = (DeviceBuffer) target.buffer();
        long mapped = engine.map(side.endpoint, peer, in.offerExport(), in.offerOffset(), device);
        if (mapped == 0 || !in.accept()) {
            return false;
        }
        long hostBytes = in.offerArea()
            ? hostBytes(in.bytes(), engine.hostShare(side.endpoint, peer, in.offerExport(), device)) : 0;
        pulled = in.bytes() - hostBytes;
        if (hostBytes > 0) {
            openArea();
            // Answer before the pull: the peer sends this part whether or not the device takes the other.
            staging.use(engine).begin(hostBytes);
            in.answer(ChannelDescriptor.TAKING, pulled);
        }
        if (pulls == null) {
            pulls = engine.queue();
        }
        state = State.PULLING;
        pulls.pull(mapped, device, target.offset() + at, pulled);
        pulling = true;
        return true;
    }

    /** How many of so many bytes go through the host, at a share in percent. They are the last bytes of the message. */
    private static long hostBytes(long bytes, int share) {
        return bytes < SHORTEST_DIVIDED || share <= 0 ? 0 : bytes / PERCENT * Math.min(share, PERCENT) & -ALIGNMENT;
    }

    private boolean isDivided() {
        return pulled < in.bytes();
    }

    /** Counts all bytes as taken at once, when the last has arrived. */
    private long endPull() {
        if (pulling) {
            pulling = false; // stays false if running() throws
            pulling = pulls.running() > 0;
        }
        if (pulling || isDivided() && !staging.pipeline().isOver()) {
            return 0;
        }
        state = State.NONE;
        in.answer(ChannelDescriptor.TAKEN, in.bytes());
        return in.takeElsewhere(in.remaining());
    }

    // ---- through the staging area ----

    private void beginStaging() {
        in.answer(ChannelDescriptor.TAKING, 0);
        state = State.WAITING;
    }

    /**
     * Whether the sender's bytes come through the staging area. If not, either the area is not there yet, or the
     * message is to become one in the ring, or it has.
     */
    private boolean isStaged() {
        if (state == State.WAITING) {
            if (in.offerByRing()) {
                state = State.NONE;
                return false;
            }
            if (in.isWithdrawable() || staging == null && !openArea()) {
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
        long bytes = in.areaBytes();
        if (bytes == 0) {
            return false;
        }
        try {
            staging = new StagingEnd(StagingArea.open(side.staging, in.area(), bytes), false);
            return true;
        } catch (IOException refused) {
            throw ErrorClass.OTHER.in("device memory",
                "cannot map the " + bytes + " bytes in " + side.staging.place() + " that rank " + peer
                    + " sends through (" + refused.getMessage() + "); raise the limits of mappings and open files");
        }
    }

    private long taken(long now) {
        in.takeElsewhere(now);
        if (!in.isOffered()) {
            state = State.NONE;
        }
        return now;
    }

    void close() {
        if (pulls != null) {
            pulls.close();
        }
        if (staging != null) {
            staging.close();
        }
        in.close();
    }
}

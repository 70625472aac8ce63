package org.brigade.transport.shm;

import mpi.spi.DeviceBuffer;
import org.brigade.device.Devices;
import org.brigade.memory.Region;
import org.brigade.setting.Setting;
import org.brigade.transport.Link;
import org.brigade.transport.staging.StagingArea;
import org.brigade.transport.staging.StagingEnd;

/**
 * The sending end of messages in device memory. A message stays where it is and is offered: a packet tells its length
 * and where its bytes lie among this rank's exports. The receiver knows where the bytes must go, and decides:
 *
 * <pre>
 *   the target is             what happens                                                      verdicts
 *   device memory that        the receiver copies the message itself; of a very long one,       TAKEN, or
 *   reaches the sender's      this side puts the last part into the staging area meanwhile      TAKING, TAKEN
 *   any other memory          this side puts all of it into the staging area chunk by chunk,    TAKING
 *                             while the receiver empties the area: both copies run at once
 *   none: it is discarded     nothing is copied                                                 TAKEN
 * </pre>
 *
 * <p>
 * Messages do not overtake each other, so a link offers only one at a time. The caller's memory is free when the last
 * byte has been accepted. If there is no room for a staging area, the ring serves as one.
 *
 * <p>
 * A receiver that waits takes a short message by one copy, which is faster than two through the ring. But a program may
 * send short messages before it receives any. So the offer of a short message is withdrawn if nobody has taken it after
 * some microseconds ({@code brigade.cuda.patience}), and the message goes through the ring, where it is out of the
 * sender's way. After a withdrawal the next messages take the ring at once: one, then 2, 4, up to 64, until an offer is
 * taken. On the lane of collectives all short messages do.
 *
 * <p>
 * An offered message counts as begun once its first 16 bytes are accepted, or all but one. A caller that began it from
 * device memory may continue from a copy in host memory, as a collective does after a failure. The receiver's own copy
 * still reads the device memory.
 *
 * <p>
 * A message of items with gaps is packed by a kernel, into device memory of this class, the outbox. That is offered.
 */
final class DeviceSender {
    /** The offer of a shorter message may be withdrawn. */
    static final long DIRECT_BYTES = Math.max(Link.PACKET_BYTES + 1, Setting.number("cuda.direct"));
    /** An offer counts as sent in part, so the message must have two bytes. */
    private static final long LEAST_OFFERED = 2;
    private static final int MOST_PASSED = 64;
    /** Shorter messages go through the ring if no other process can reach their memory. */
    static final long STAGED_BYTES = 64 << 10;

    private static final int GRAIN = 16;
    private static final long LEAST_OUTBOX = 1 << 20;
    /** Longer messages of items with gaps are packed chunk by chunk, and go through host memory. */
    private static final long LARGEST_OUTBOX = 64 << 20;

    private enum State { NONE, OFFERED, STAGING, RINGED }

    private final DeviceSide side;
    private final ChannelSender out;
    private StagingEnd staging;
    private boolean noRoom;
    private State state = State.NONE;
    private final boolean offersShort;
    /** Whether the open offer may be withdrawn, and since when it stands. */
    private boolean withdrawable;
    private long offeredAt;
    /** How many of the next short messages are not offered, and how many after the next withdrawal. */
    private int passed;
    private int passes = 1;
    private long stagedFrom;
    private long ringSent;
    /** Device memory for a message of items with gaps, which peers can map; null until needed. */
    private DeviceBuffer outbox;
    private boolean noOutbox;

    /** @param offersShort whether short messages are offered, too */
    DeviceSender(DeviceSide side, ChannelSender out, boolean offersShort) {
        this.offersShort = offersShort && side.patienceNanos > 0;
        this.side = side;
        this.out = out;
    }

    /** Whether this class sends the message that has begun on the channel, wherever its source lies now. */
    boolean isBusy() {
        return state != State.NONE;
    }

    long trySend(int kind, long key, Region source, long at, long bytes, long sent) {
        if (state == State.NONE) {
            if (sent > 0 || bytes < DIRECT_BYTES && !offersShort || bytes < LEAST_OFFERED || side.copies() == null) {
                return out.trySend(kind, key, source, at, bytes, sent);
            }
            return bytes < DIRECT_BYTES ? beginShort(kind, key, source, at, bytes)
                : begin(kind, key, source, at, bytes);
        }
        if (sent == 0) {
            return Link.REFUSED;
        }
        long accepted = goOn(source, at, bytes, sent);
        if (accepted == bytes) {
            state = State.NONE;
        }
        return accepted > sent ? accepted - sent : Link.REFUSED;
    }

    private long begin(int kind, long key, Region source, long at, long bytes) {
        if (!out.mayBegin()) {
            return Link.REFUSED;
        }
        DeviceBuffer buffer = (DeviceBuffer) source.buffer();
        long from = source.offset() + at;
        if (!buffer.isContiguous() && hasOutbox(buffer, bytes)) {
            buffer.copy(from, outbox, 0, bytes);
            buffer = outbox;
            from = 0;
        }
        long export = side.devices.export(side.endpoint, buffer);
        if (export == Devices.UNREACHABLE && bytes < STAGED_BYTES) {
            return out.trySend(kind, key, source, at, bytes, 0);
        }
        boolean area = staging != null || bytes >= DeviceReceiver.SHORTEST_DIVIDED && makeArea();
        long offset = export == Devices.UNREACHABLE ? 0 : side.devices.offset(buffer) + from;
        if (!out.tryOffer(kind, key, bytes, export, offset, area ? 1 : 0)) {
            return Link.REFUSED;
        }
        withdrawable = false;
        state = State.OFFERED;
        return GRAIN;
    }

    private long beginShort(int kind, long key, Region source, long at, long bytes) {
        if (!out.mayBegin()) {
            return Link.REFUSED;
        }
        DeviceBuffer buffer = (DeviceBuffer) source.buffer();
        long export = passed > 0 || !buffer.isContiguous() ? Devices.UNREACHABLE
            : side.devices.export(side.endpoint, buffer);
        if (export == Devices.UNREACHABLE || !out.tryOffer(kind, key, bytes, export,
            side.devices.offset(buffer) + source.offset() + at, ChannelDescriptor.WITHDRAWABLE)) {
            long accepted = out.trySend(kind, key, source, at, bytes, 0);
            passed -= accepted >= 0 && passed > 0 ? 1 : 0;
            return accepted;
        }
        withdrawable = true;
        offeredAt = System.nanoTime();
        state = State.OFFERED;
        return Math.min(GRAIN, bytes - 1);
    }

    /** Makes room on a device to pack a message in; false if there is none that peers can map. */
    private boolean hasOutbox(DeviceBuffer items, long bytes) {
        if (noOutbox || bytes > LARGEST_OUTBOX) {
            return false;
        }
        if (outbox == null || outbox.bytes < bytes) {
            closeOutbox();
            outbox = side.copies().allocate(Math.max(LEAST_OUTBOX, Long.highestOneBit(bytes - 1) << 1), items);
            noOutbox = outbox == null || side.devices.export(side.endpoint, outbox) == Devices.UNREACHABLE;
        }
        return !noOutbox;
    }

    private void closeOutbox() {
        if (outbox != null) {
            side.copies().free(outbox);
            outbox = null;
        }
    }

    /** Bytes of the message that have been accepted so far. */
    private long goOn(Region source, long at, long bytes, long sent) {
        if (state == State.OFFERED) {
            int verdict = out.verdict();
            if (verdict == ChannelDescriptor.TAKEN) {
                out.endOffer();
                passes = withdrawable ? 1 : passes;
                return bytes;
            }
            if (verdict == 0 && !isWithdrawn()) {
                return sent;
            }
            stagedFrom = out.stagedFrom();
            if (!withdrawable && (staging != null || makeArea())) {
                staging.begin(bytes - stagedFrom);
                state = State.STAGING;
            } else {
                out.offerByRing();
                ringSent = 0;
                state = State.RINGED;
            }
        }
        if (state == State.RINGED) {
            ringSent += Math.max(0, out.trySendRinged(source, at, bytes, ringSent));
            return ringSent == bytes ? bytes : Math.max(sent, Math.min(ringSent, bytes - 1));
        }
        staging.pipeline().read(source, at + stagedFrom);
        if (staging.pipeline().isOver() && (stagedFrom == 0 || out.verdict() == ChannelDescriptor.TAKEN)) {
            out.endOffer();
            return bytes;
        }
        return stagedFrom > 0 ? sent : Math.max(sent, Math.min(staging.pipeline().ended(), bytes - 1));
    }

    /** Whether the offer is taken back, because nobody has taken it for long. */
    private boolean isWithdrawn() {
        if (!withdrawable || System.nanoTime() - offeredAt < side.patienceNanos || !out.withdraw()) {
            return false;
        }
        passed = passes;
        passes = Math.min(2 * passes, MOST_PASSED);
        return true;
    }

    private boolean makeArea() {
        if (noRoom) {
            return false;
        }
        StagingArea area = StagingArea.make(side.staging);
        if (area == null) {
            noRoom = true;
            return false;
        }
        staging = new StagingEnd(area, true).use(side.copies());
        out.tellArea(area.at(), area.bytes());
        return true;
    }

    void close() {
        if (staging != null) {
            staging.close();
        }
        closeOutbox();
    }
}

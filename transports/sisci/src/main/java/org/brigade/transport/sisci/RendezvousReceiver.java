package org.brigade.transport.sisci;

import static org.brigade.transport.sisci.adapter.InboxDescriptor.*;

import java.nio.Buffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import mpi.spi.DeviceBuffer;
import org.brigade.device.DeviceRange;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.sisci.adapter.AttachedMemory.Attachment;
import org.brigade.transport.sisci.adapter.InboxDescriptor;
import org.brigade.transport.sisci.adapter.WritableBuffers;
import org.brigade.transport.sisci.adapter.WritableBuffers.Target;

/**
 * What the receiving end of a lane says to messages that DMA could write straight into its memory
 * ({@link RendezvousSender}), and whether it did.
 *
 * <p>
 * With a broken IOMMU, or after memory has been freed and allocated again, a transfer reports success and moves nothing
 * into this memory. So before it asks, the receiver writes a random word at each end of the place. If one is still
 * there afterwards, nothing has arrived. The sender keeps a message until the receiver has said that it has arrived,
 * unless one has arrived in such memory before.
 */
final class RendezvousReceiver {
    /** Less is not worth it; and so many parts of a message must be whole pages. */
    private static final int LEAST = 64 << 10;
    private static final int MOST_FAILURES = 3;
    /** Bytes of memory that a checksum needs. */
    static final int SUMMED = 64 << 10;
    private static final int HOST = 0;
    private static final int DEVICE = 1;

    private enum State { NONE, ANNOUNCED, REQUESTED, DECLINED, ABANDONED }

    private final SisciLaneReceiver.Writer writer;
    private final int lane;
    private final long[] answer = new long[ANSWER_WORDS];
    private final NativeMemory scratch = NativeMemory.allocate(SUMMED);
    private final SplittableRandom random = new SplittableRandom();
    private final int[] failures = new int[2];
    private final boolean[] proven = new boolean[2];
    private int answers;

    private State state = State.NONE;
    private int space;
    private Target target;
    private Attachment attachment;
    private boolean confirm;
    private int from;
    private long length;
    private long firstMark;
    private long lastMark;

    RendezvousReceiver(SisciLaneReceiver.Writer writer, int lane) {
        this.writer = writer;
        this.lane = lane;
    }

    /** Whether the message at the head is not in the ring. */
    boolean isOpen() {
        return state != State.NONE;
    }

    /** Whether the sender writes into a caller's memory now. */
    boolean isRequested() {
        return state == State.REQUESTED;
    }

    void announced() {
        state = State.ANNOUNCED;
    }

    /** The message comes by the ring after all. */
    void comesByRing() {
        if (state == State.REQUESTED) {
            failed("the sender cannot write there");
        }
        letGo();
        state = State.NONE;
    }

    /** Answers where a message is to be written, if that has not been said. */
    void request(Region into, long at, long bytes) {
        if (state != State.ANNOUNCED) {
            return;
        }
        long begin = place(into, at, bytes);
        if (begin < 0) {
            decline();
            return;
        }
        firstMark = random.nextLong();
        lastMark = random.nextLong();
        if (marks()) {
            scratch.putLong(0, firstMark);
            scratch.putLong(8, lastMark);
            into.write(at + from, scratch, 0, 8);
            into.write(at + from + length - 8, scratch, 8, 8);
        }
        confirm = !proven[space] || writer.checksums() || target != null && !target.isOf(into.buffer());
        say(target != null ? target.id : attachment.id, begin, from | (confirm ? CONFIRM : 0), length);
        state = State.REQUESTED;
    }

    /** On a device, each mark takes as long as a small message; so only until a message has arrived there. */
    private boolean marks() {
        return space == HOST || !proven[DEVICE];
    }

    /** Has the whole message sent by the ring, if nothing else has been said. */
    void decline() {
        if (state == State.ANNOUNCED) {
            say(BY_RING, 0, 0, 0);
            state = State.DECLINED;
        }
    }

    /** Nobody writes into the caller's memory any more. */
    void abandon() {
        if (state == State.REQUESTED) {
            if (target != null) {
                writer.side().targets().withdraw(target);
            } else {
                writer.side().attached().withdraw(attachment);
            }
            target = null;
            attachment = null;
            state = State.ABANDONED;
        }
    }

    /** Whether the sender may say that it has written the message. */
    boolean mayBeNotified() {
        return state == State.REQUESTED || state == State.ABANDONED;
    }

    /** Bytes of the message that come through the ring beside the transfer. */
    int edges(long bytes) {
        return (int) (bytes - length);
    }

    /** Of these, how many are in front of the bytes of the transfer. */
    int front() {
        return from;
    }

    /**
     * The sender says that all has been written. The edges have been copied.
     *
     * @return whether the message is there; if not, it comes by the ring
     */
    boolean notified(Region into, long at, long bytes, long checksum) {
        String why = state == State.ABANDONED ? null : complaint(into, at, bytes, checksum);
        if (why != null) {
            failures[space] = MOST_FAILURES;
            failed(why);
            if (!confirm) {
                writer.refuse("has moved " + length + " bytes by DMA into this rank's memory, but " + why
                    + " (brigade.sisci.rendezvous=0 avoids such transfers), on lane " + lane);
                return false;
            }
            letGo();
            say(BY_RING, 0, 0, 0);
            state = State.DECLINED;
            return false;
        }
        if (state == State.REQUESTED) {
            proven[space] = true;
            failures[space] = 0;
        }
        letGo();
        if (confirm) {
            say(TAKEN, 0, 0, 0);
        }
        state = State.NONE;
        return true;
    }

    private String complaint(Region into, long at, long bytes, long checksum) {
        if (marks()) {
            into.read(at + from, scratch, 0, 8);
            into.read(at + from + length - 8, scratch, 8, 8);
            if (scratch.getLong(0) == firstMark || scratch.getLong(8) == lastMark) {
                return "the transfer reports success, and nothing has arrived";
            }
        }
        return writer.checksums() && checksum(into, at, bytes, scratch) != checksum
            ? "the checksum of what has arrived is another" : null;
    }

    private void letGo() {
        if (target != null) {
            writer.side().targets().release(target);
            target = null;
        }
        if (attachment != null) {
            writer.side().attached().release(attachment);
            attachment = null;
        }
    }

    private void failed(String why) {
        if (++failures[space] >= MOST_FAILURES) {
            writer.cannotBeWritten(space == HOST ? "registered memory" : "device memory", why);
        }
    }

    // ---- where ----

    /** Finds a segment for whole pages of the message; returns where in it they begin, or -1. */
    private long place(Region into, long at, long bytes) {
        SisciDeviceSide side = writer.side();
        space = into.isDevice() ? DEVICE : HOST;
        if (side == null || failures[space] >= MOST_FAILURES || !into.isDevice() && !into.isNative()) {
            return -1;
        }
        DeviceBuffer device = into.isDevice() ? (DeviceBuffer) into.buffer() : null;
        long start = device != null ? device.address + into.offset() + at : into.address() + at;
        long first = start + WritableBuffers.PAGE - 1 & -WritableBuffers.PAGE;
        length = (start + bytes & -WritableBuffers.PAGE) - first;
        from = (int) (first - start);
        if (length < LEAST) {
            return -1;
        }
        if (device == null) {
            target = side.targets().of((Buffer) into.buffer(), into.address() - into.offset(), first, first + length);
            if (target == null && side.targets().refusal() != null) {
                failed(side.targets().refusal());
            }
            return target == null ? -1 : first - target.base;
        }
        DeviceRange range = side.range(device);
        attachment = range == null ? null : side.attached().attach(range, true);
        if (attachment != null && !attachment.contains(first, length)) {
            letGo();
        }
        if (attachment == null && side.attached().refusal() != null) {
            failed(side.attached().refusal());
        }
        return attachment == null ? -1 : first - attachment.base;
    }

    /** The checksum of a message, in 32 bits. */
    static long checksum(Region source, long at, long bytes, NativeMemory scratch) {
        CRC32C sum = new CRC32C();
        for (long done = 0; done < bytes; done += SUMMED) {
            int piece = (int) Math.min(SUMMED, bytes - done);
            source.read(at + done, scratch, 0, piece);
            sum.update(scratch.bytes.slice(0, piece));
        }
        return sum.getValue();
    }

    // ---- answers ----

    private void say(int id, long place, int first, long bytes) {
        answers++;
        answer[0] = word(id, answers);
        answer[1] = word((int) place, answers);
        answer[2] = word((int) (place >>> 32), answers);
        answer[3] = word(first, answers);
        answer[4] = word((int) bytes, answers);
        answer[5] = word((int) (bytes >>> 32), answers);
        writer.report(line(lane) + InboxDescriptor.ANSWER, answer);
    }

    /** Stores the last answer again. Under the connection's lock. */
    void storeAgain(NativeMemory remote) {
        for (int i = 0; i < ANSWER_WORDS; i++) {
            remote.putLong(line(lane) + InboxDescriptor.ANSWER + (i << 3), answer[i]);
        }
    }
}

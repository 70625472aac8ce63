package org.brigade.transport.sisci;

import static org.brigade.transport.sisci.adapter.InboxDescriptor.*;

import org.brigade.device.CopyEngine;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.sisci.adapter.InboxDescriptor;
import org.brigade.transport.staging.PipelinedEnd;

/**
 * The receiving end of one lane. It reads only this rank's own memory, and checks all of it: an impossible number ends
 * the connection to the peer. It reports what it has freed only a few times a lap, because every report is a store over
 * the bridge.
 */
final class SisciLaneReceiver extends PipelinedEnd {
    /** The peer that fills the inbox, as the receiver sees it. */
    interface Writer {
        /** The peer has written an impossible value, described as the rest of a sentence. */
        void refuse(String what);

        /** Writes a number of a line ({@link InboxDescriptor}) into the peer's own inbox. */
        void report(int place, long value);

        /**
         * The engine that copies into device memory straight out of the inbox, which is page-locked from then on; null
         * if there is none.
         */
        default CopyEngine copies() {
            return null;
        }

        /** As {@link #report(int, long)}, for numbers one after the other. */
        default void report(int place, long[] values) {
            for (int i = 0; i < values.length; i++) {
                report(place + (i << 3), values[i]);
            }
        }

        /** Memory that the peer's DMA may write; null if there is none. */
        default SisciDeviceSide side() {
            return null;
        }

        /** Whether messages in such memory have checksums. */
        default boolean checksums() {
            return false;
        }

        /** The peer's DMA does not write into some kind of memory. */
        default void cannotBeWritten(String memory, String why) {
            // Nobody needs to know.
        }
    }

    /** Bytes of one copy: few enough that the sender gets room meanwhile. */
    private static final int LARGEST_COPY = 128 << 10;
    /** Messages up to this length are copied to a device in one go, and the processor waits. */
    private static final int DEVICE_AT_ONCE = 16 << 10;
    /** For a longer message, the next copy waits until this many bytes are there, while other copies run. */
    private static final int DEVICE_PIECE = 256 << 10;
    private static final int DEVICE_DEPTH = 8;

    private final Writer writer;
    private final int lane;
    private final NativeMemory memory;
    private final int words;
    private final int wordCount;
    private final int wordMask;
    private final int wordReport;
    private final int inlineBytes;
    private final int ring;
    private final int ringBytes;
    /** The payload of the record at the head. */
    private final NativeMemory payload;

    private final RendezvousReceiver rendezvous;

    private long read;
    private long wordsReported;
    private long bytesReported;
    private long probeVerdict;
    /** The ring position up to which messages have been taken in, and the tail as last seen. */
    private long ringEnd;
    private long tail;

    // The record at the head: how many of its words have been seen, and how many it has (0 until the first has come).
    private int seen;
    private int recordWords;
    private int length;
    private int recordKind;
    private long start;
    private long arrived;

    /** @param memory of an inbox whose rings have so many bytes */
    SisciLaneReceiver(Writer writer, int lane, NativeMemory memory, int ringBytes) {
        super(DEVICE_DEPTH, DEVICE_PIECE);
        this.writer = writer;
        this.lane = lane;
        this.memory = memory;
        this.words = InboxDescriptor.words(lane);
        this.wordCount = InboxDescriptor.wordCount(lane);
        this.wordMask = wordCount - 1;
        this.wordReport = wordCount / REPORTS_A_LAP;
        this.inlineBytes = InboxDescriptor.inlineBytes(lane);
        this.ring = lane == FabricEnd.CONTROL ? 0 : InboxDescriptor.ring(lane, ringBytes);
        this.ringBytes = ringBytes;
        this.rendezvous = new RendezvousReceiver(writer, lane);
        this.payload = NativeMemory.allocate(Math.max(inlineBytes, RINGED_WORDS * 4) + 64);
    }

    @Override
    public boolean poll() {
        return present || look();
    }

    /** Takes in the words of the record at the head that have come. */
    private boolean look() {
        if (!record()) {
            return false;
        }
        // The key is in front of the payload.
        kind = recordKind;
        key = payload.getLong(0);
        taken = 0;
        bytes = length;
        if (length == RENDEZVOUS && !announced() || length == NOTIFIED && !refused()
            || isRinged() && !ringed()) {
            return false;
        }
        present = true;
        if (length == PROBE) {
            answerProbe();
            return false;
        }
        return true;
    }

    /** Whether the next record is there, in {@link #payload}. */
    private boolean record() {
        int atOnce = seen == 0 ? 1 : recordWords;
        while (seen < atOnce) {
            long position = read + seen;
            long word = memory.getLongAcquire(words + (((int) position & wordMask) << 3));
            if ((int) (word >>> 32) != lap(position, wordCount)) {
                return false;
            }
            if (seen == 0) {
                if (!head((int) word)) {
                    return false;
                }
                atOnce = recordWords;
            } else {
                payload.bytes.putInt(seen - 1 << 2, (int) word);
            }
            seen++;
        }
        return true;
    }

    private boolean head(int data) {
        recordKind = data >>> 24;
        length = data & 0xff_ffff;
        if (length >= NOTIFIED && lane != FabricEnd.CONTROL) {
            recordWords = RINGED_WORDS;
        } else if (length <= inlineBytes) {
            recordWords = HEAD_WORDS + payloadWords(length);
        } else {
            writer.refuse(
                "has announced a message of " + length + " bytes, but only " + inlineBytes + " fit, on lane " + lane);
            return false;
        }
        return true;
    }

    /** A message that DMA may write into the receiver's own memory. Its record needs no room any more. */
    private boolean announced() {
        bytes = payload.getLong(8);
        if (bytes <= inlineBytes) {
            writer.refuse("has announced a message of " + bytes + " bytes for this rank's own memory, on lane " + lane);
            return false;
        }
        rendezvous.announced();
        consume();
        return true;
    }

    private boolean refused() {
        writer.refuse("has sent record 0x" + Integer.toHexString(length) + " that nothing begins, on lane " + lane);
        return false;
    }

    private boolean ringed() {
        bytes = payload.getLong(8);
        start = payload.getLong(16);
        arrived = payload.bytes.getInt(24);
        if (bytes <= inlineBytes || start < ringEnd || start - ringEnd >= ringBytes || start % GRAIN != 0
            || arrived <= 0 || arrived > bytes
            || start + arrived - bytesReported > ringBytes || arrived % GRAIN != 0 && arrived < bytes) {
            writer.refuse("has announced a message of " + bytes + " bytes, " + arrived + " of them at byte " + start
                + " of a ring of " + ringBytes + " that was filled up to " + ringEnd + ", on lane "
                + lane);
            return false;
        }
        return true;
    }

    /**
     * Compares the bytes that arrived for a probe of the peer's device memory with its checksum, answers, and goes on
     * to the next message.
     */
    private void answerProbe() {
        if (bytes != SisciDeviceSide.SAMPLE_BYTES || arrived != bytes
            || ((int) start & ringBytes - 1) + bytes > ringBytes) {
            writer.refuse("has announced a probe of " + bytes + " bytes, " + arrived + " of them at byte " + start
                + " of a ring of " + ringBytes + ", on lane " + lane);
            present = false;
            return;
        }
        boolean same = SisciDeviceSide.checksum(memory, position()) == (key & 0xffff_ffffL);
        probeVerdict = verdict((int) (key >>> 32), same);
        writer.report(line(lane) + PROBE_VERDICT, probeVerdict);
        take((int) bytes);
    }

    // ---- messages that are not in the ring ----

    /**
     * Whether the message at the head has become one in the ring. If not, it may have ended: then nothing is
     * {@link #present}.
     *
     * @param target where it goes; null if nowhere
     */
    private boolean comesByRing(Region target, long at) {
        if (target != null) {
            rendezvous.request(target, at, bytes);
        } else {
            rendezvous.decline();
        }
        long whole = bytes;
        long itsKey = key;
        if (!record()) {
            return false;
        }
        if (length == RINGED && recordKind == kind && payload.getLong(0) == itsKey && payload.getLong(8) == whole) {
            rendezvous.comesByRing();
            return ringed();
        }
        if (length != NOTIFIED || recordKind != kind || payload.getLong(0) != itsKey || !rendezvous.mayBeNotified()) {
            return refused();
        }
        notified(target, at);
        return false;
    }

    /** All bytes have been written, the edges in the ring. */
    private void notified(Region target, long at) {
        int edges = rendezvous.edges(bytes);
        start = payload.getLong(8);
        int place = (int) start & ringBytes - 1;
        if (edges > 0 && (start < ringEnd || start - ringEnd >= ringBytes || start % GRAIN != 0
            || start + edges - bytesReported > ringBytes || place + edges > ringBytes)) {
            writer.refuse("has put " + edges + " bytes at byte " + start + " of a ring of " + ringBytes
                + " that was filled up to " + ringEnd + ", on lane " + lane);
            return;
        }
        if (rendezvous.isRequested()) {
            int front = rendezvous.front();
            target.write(at, memory, ring + place, front);
            target.write(at + bytes - edges + front, memory, ring + place + front, edges - front);
        }
        boolean there = rendezvous.notified(target, at, bytes, payload.getLong(16));
        if (edges > 0) {
            free(start + edges);
        }
        if (there) {
            taken = bytes;
            end();
        } else {
            consume();
        }
    }

    @Override
    public boolean isTaken() {
        return rendezvous.isRequested() || super.isTaken();
    }

    @Override
    public void abandon() {
        rendezvous.abandon();
    }

    @Override
    public long tryDiscard(long limit) {
        if (rendezvous.isOpen()) {
            rendezvous.abandon();
            if (!comesByRing(null, 0)) {
                return present ? 0 : bytes;
            }
        }
        return super.tryDiscard(limit);
    }

    @Override
    public long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        if (rendezvous.isOpen() && !comesByRing(null, 0)) {
            return present ? 0 : bytes;
        }
        return super.tryRecvReduce(combiner, operand, operandAt, target, targetAt);
    }

    @Override
    public long tryRecv(Region target, long at) {
        if (rendezvous.isOpen() && !comesByRing(target, at)) {
            return present ? 0 : bytes;
        }
        if (target.isDevice() && isRinged() && bytes > DEVICE_AT_ONCE && writer.copies() != null) {
            return copyToDevice(writer.copies(), target, at);
        }
        return super.tryRecv(target, at);
    }

    @Override
    public int stretch(long from) {
        return stretchFrom(from, ringBytes);
    }

    @Override
    public NativeMemory memory(long from) {
        return memory;
    }

    @Override
    public int position(long from) {
        return ring + ((int) (start + from) & ringBytes - 1);
    }

    private boolean isRinged() {
        return length == RINGED || length == PROBE;
    }

    @Override
    protected NativeMemory memory() {
        return isRinged() ? memory : payload;
    }

    @Override
    protected int position() {
        return isRinged() ? position(taken) : 8 + (int) taken;
    }

    @Override
    protected int stretch() {
        return isRinged() ? stretchFrom(taken, LARGEST_COPY) : (int) (bytes - taken);
    }

    @Override
    protected int deviceStretch() {
        if (!isRinged()) {
            return stretch();
        }
        int stretch = stretchFrom(taken, ringBytes);
        return arrived < bytes && arrived - taken < Math.min(DEVICE_PIECE, ringBytes / 4) ? 0 : stretch;
    }

    /** How many bytes of a message in the ring are there from the given one on, in one piece; at most so many. */
    private int stretchFrom(long from, int most) {
        if (arrived - from < most && arrived < bytes) {
            long now = memory.getLongAcquire(line(lane) + TAIL);
            if (now < tail || now - bytesReported > ringBytes) {
                writer.refuse("has filled its ring up to byte " + now + ", but has " + ringBytes + " bytes after byte "
                    + bytesReported + ", on lane " + lane);
                return 0;
            }
            tail = now;
            arrived = Math.max(arrived, Math.min(now - start, bytes));
        }
        int wrapped = (int) (start + from) & ringBytes - 1;
        return (int) Math.min(arrived - from, Math.min(most, ringBytes - wrapped));
    }

    @Override
    protected long take(int stretch) {
        taken += stretch;
        if (isRinged()) {
            free(start + taken);
        }
        if (taken == bytes) {
            end();
        }
        return stretch;
    }

    /** The ring has room again up to an end. */
    private void free(long end) {
        ringEnd = end;
        if (ringEnd - bytesReported >= ringBytes / REPORTS_A_LAP) {
            bytesReported = ringEnd;
            writer.report(line(lane) + BYTES_FREED, bytesReported);
        }
    }

    private void end() {
        present = false;
        consume();
    }

    /** The room of the record at the head is free. */
    private void consume() {
        read += recordWords;
        seen = 0;
        if (read - wordsReported >= wordReport) {
            wordsReported = read;
            writer.report(line(lane) + WORDS_FREED, wordsReported);
        }
    }

    /** Stores the reported counts again. Under the connection's lock. */
    void storeAgain(NativeMemory remote) {
        remote.putLong(line(lane) + WORDS_FREED, wordsReported);
        remote.putLong(line(lane) + BYTES_FREED, bytesReported);
        remote.putLong(line(lane) + PROBE_VERDICT, probeVerdict);
        rendezvous.storeAgain(remote);
    }
}

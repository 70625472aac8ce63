package org.brigade.transport.sisci;

import static org.brigade.transport.sisci.InboxDescriptor.*;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.StagedCombine;
import org.brigade.transport.FabricEnd;

/**
 * The receiving end of one lane. Reads this rank's own memory only, and believes none of it: a number that cannot be is the peer's end. What it frees it reports a share of a lap at a time, as every
 * report is a store over the bridge.
 */
final class LaneReceiver {
    /** Who fills the inbox, as the receiver sees him. */
    interface Writer {
        /** He has written what cannot be, as the rest of a sentence. */
        void refuse(String what);

        /** Tells him a number of a line ({@link InboxDescriptor}) in his own inbox. */
        void report(int place, long value);
    }

    /** Bytes that are copied at once, so that the sender gets room meanwhile. */
    private static final int LARGEST_COPY = 128 << 10;

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
    private StagedCombine staged;

    private long read;
    private long wordsReported;
    private long bytesReported;
    /** Ring bytes up to where messages have been taken in, and the tail as last seen. */
    private long ringEnd;
    private long tail;

    // The record at the head: how many of its words have been seen, and how many it has; 0 until the first has come.
    private int seen;
    private int recordWords;
    private boolean present;
    private int kind;
    private int length;
    private long key;
    private long bytes;
    private long taken;
    private long start;
    private long arrived;

    /** @param memory of an inbox with rings of so many bytes */
    LaneReceiver(Writer writer, int lane, NativeMemory memory, int ringBytes) {
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
        this.payload = NativeMemory.allocate(Math.max(inlineBytes, RINGED_WORDS * 4) + 64);
    }

    boolean poll() {
        return present || look();
    }

    /** Takes in the words of the record at the head that have come. */
    private boolean look() {
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
        // The key is in front of the payload.
        key = payload.getLong(0);
        taken = 0;
        bytes = length;
        if (length == RINGED && !ringed()) {
            return false;
        }
        present = true;
        return true;
    }

    private boolean head(int data) {
        kind = data >>> 24;
        length = data & 0xff_ffff;
        if (length == RINGED && lane != FabricEnd.CONTROL) {
            recordWords = RINGED_WORDS;
        } else if (length <= inlineBytes) {
            recordWords = HEAD_WORDS + payloadWords(length);
        } else {
            writer.refuse("has announced a message of " + length + " bytes, where " + inlineBytes + " fit, on lane " + lane);
            return false;
        }
        return true;
    }

    private boolean ringed() {
        bytes = payload.getLong(8);
        start = payload.getLong(16);
        arrived = payload.bytes.getInt(24);
        if (bytes <= inlineBytes || start < ringEnd || start - ringEnd >= ringBytes || start % GRAIN != 0 || arrived <= 0 || arrived > bytes
            || start + arrived - bytesReported > ringBytes || arrived % GRAIN != 0 && arrived < bytes) {
            writer.refuse("has announced a message of " + bytes + " bytes, " + arrived + " of them at byte " + start + " of a ring of " + ringBytes + " that was filled up to " + ringEnd + ", on lane "
                + lane);
            return false;
        }
        return true;
    }

    int kind() {
        return kind;
    }

    long key() {
        return key;
    }

    long bytes() {
        return bytes;
    }

    long remaining() {
        return bytes - taken;
    }

    long word(int index) {
        return payload.getLong(8 + (index << 3));
    }

    long tryRecv(Region target, long at) {
        int stretch = stretch();
        if (stretch > 0) {
            NativeMemory from = isRinged() ? memory : payload;
            target.write(at, from, position(), stretch);
        }
        return take(stretch);
    }

    long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        int stretch = stretch();
        if (stretch > 0) {
            NativeMemory from = isRinged() ? memory : payload;
            if (StagedCombine.isNeeded(operand, target)) {
                if (staged == null) {
                    staged = new StagedCombine();
                }
                staged.combine(combiner, from, position(), stretch, operand, operandAt, target, targetAt);
            } else {
                combiner.combine(from, position(), stretch, operand, operandAt, target, targetAt);
            }
        }
        return take(stretch);
    }

    /** Forgets multiples of 16 bytes, but for the last of a message: what follows must lie as elements need it. */
    long tryDiscard(long limit) {
        long discarded = 0;
        while (present) {
            int stretch = stretch();
            long left = limit - discarded;
            if (stretch > left) {
                stretch = (int) left & -16;
            }
            if (stretch == 0 && bytes > 0) {
                break;
            }
            discarded += take(stretch);
        }
        return discarded;
    }

    private boolean isRinged() {
        return length == RINGED;
    }

    private int position() {
        return isRinged() ? ring + ((int) (start + taken) & ringBytes - 1) : 8 + (int) taken;
    }

    /** Bytes at the head that are there, in one piece. */
    private int stretch() {
        if (!isRinged()) {
            return (int) (bytes - taken);
        }
        if (arrived == taken) {
            long now = memory.getLongAcquire(line(lane) + TAIL);
            if (now < tail || now - bytesReported > ringBytes) {
                writer.refuse("has filled its ring up to byte " + now + ", of " + ringBytes + " bytes behind " + bytesReported + ", on lane " + lane);
                return 0;
            }
            tail = now;
            if (now - start <= arrived) {
                return 0;
            }
            arrived = Math.min(now - start, bytes);
        }
        int wrapped = (int) (start + taken) & ringBytes - 1;
        return (int) Math.min(arrived - taken, Math.min(LARGEST_COPY, ringBytes - wrapped));
    }

    private long take(int stretch) {
        taken += stretch;
        if (isRinged()) {
            ringEnd = start + taken;
            if (ringEnd - bytesReported >= ringBytes / REPORTS_A_LAP) {
                bytesReported = ringEnd;
                writer.report(line(lane) + BYTES_FREED, bytesReported);
            }
        }
        if (taken == bytes) {
            end();
        }
        return stretch;
    }

    private void end() {
        present = false;
        read += recordWords;
        seen = 0;
        if (read - wordsReported >= wordReport) {
            wordsReported = read;
            writer.report(line(lane) + WORDS_FREED, wordsReported);
        }
    }

    /** Stores what has been reported again. Under the connection's lock. */
    void storeAgain(NativeMemory remote) {
        remote.putLong(line(lane) + WORDS_FREED, wordsReported);
        remote.putLong(line(lane) + BYTES_FREED, bytesReported);
    }
}

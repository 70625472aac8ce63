package org.brigade.transport.sisci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.sisci.adapter.InboxDescriptor;

/**
 * Whatever a peer writes into an inbox: the receiver reads nothing outside the lane's words and ring, writes nothing
 * there, reports nothing that was not there, and throws nothing.
 */
class LaneReceiverGarbageTest {
    private static final int RING = InboxDescriptor.SMALLEST_RING;
    private static final int SEGMENT = InboxDescriptor.bytes(RING);
    private static final int GUARD = 1 << 20;
    private static final int ROOM = 1 << 17;
    /** What lies around the segment; in each lane's ring; in words. */
    private static final byte OUTSIDE = 0x5a;
    private static final byte[] IN_RING = {0x11, 0x13};
    private static final int WORD = 0x22222222;

    private final NativeMemory all = NativeMemory.allocate(GUARD + SEGMENT + GUARD);
    private final NativeMemory inbox = new NativeMemory(all.bytes.duplicate().clear().slice(GUARD, SEGMENT));

    /** A record as a peer may write it, and the tail that he stores then. */
    record Written(int kind, int length, long bytes, long start, int first, long tail) {
    }

    private static Arbitrary<Long> positions() {
        return Arbitraries.oneOf(Arbitraries.longs(), Arbitraries.longs().between(-64, 4L * RING),
            Arbitraries.longs().between(0, 4L * RING / 64).map(grains -> grains * 64),
            Arbitraries.of(0L, 64L, (long) RING, RING - 64L, RING + 64L, Long.MAX_VALUE, Long.MIN_VALUE,
                Long.MAX_VALUE - 63, -64L, 1L << 31, 1L << 32));
    }

    @Provide
    Arbitrary<Written> written() {
        Arbitrary<Integer> lengths =
            Arbitraries.oneOf(Arbitraries.integers().between(0, 0xff_ffff), Arbitraries.integers().between(0, 64),
                Arbitraries.of(InboxDescriptor.RINGED, InboxDescriptor.RINGED, InboxDescriptor.RINGED,
                    InboxDescriptor.RINGED - 1, InboxDescriptor.RENDEZVOUS, InboxDescriptor.NOTIFIED,
                    InboxDescriptor.INLINE_BYTES, InboxDescriptor.INLINE_BYTES + 1));
        Arbitrary<Integer> first = Arbitraries.oneOf(Arbitraries.integers(), Arbitraries.integers().between(0, RING),
            Arbitraries.of(64, 16384, RING, RING + 64, -64, 0));
        return Combinators
            .combine(Arbitraries.integers().between(0, 255), lengths, positions(), positions(), first, positions())
            .as(Written::new);
    }

    /** What the receiver said of its peer. */
    private static final class Peer implements SisciLaneReceiver.Writer {
        final List<String> refused = new ArrayList<>();
        long wordsFreed;
        long bytesFreed;

        @Override
        public void refuse(String what) {
            refused.add(what);
        }

        @Override
        public void report(int place, long value) {
            if (place % InboxDescriptor.LINE >= InboxDescriptor.ANSWER) {
                return;
            }
            boolean words = place % InboxDescriptor.LINE == InboxDescriptor.WORDS_FREED;
            assertTrue(value > (words ? wordsFreed : bytesFreed), "a report goes back to " + value);
            if (words) {
                wordsFreed = value;
            } else {
                bytesFreed = value;
            }
        }
    }

    @Property(tries = 1500)
    void nothingOutsideTheSegmentIsTouched(@ForAll @IntRange(min = 0, max = FabricEnd.LANES - 1) int lane,
        @ForAll @Size(min = 1, max = 12) List<@net.jqwik.api.From("written") Written> records) {
        prepare();
        Peer peer = new Peer();
        SisciLaneReceiver receiver = new SisciLaneReceiver(peer, lane, inbox, RING);
        long position = 0;
        long highest = 0;
        for (Written record : records) {
            position = write(lane, position, record);
            if (lane != FabricEnd.CONTROL) {
                inbox.putLong(InboxDescriptor.line(lane) + InboxDescriptor.TAIL, record.tail());
                highest = Math.max(highest, record.tail());
            }
            drain(receiver, peer, lane);
            assertTrue(peer.wordsFreed <= position, "more words are freed than were written: " + peer.wordsFreed);
            assertTrue(peer.bytesFreed - RING <= Math.max(highest, 0),
                "bytes are freed that were never there: " + peer.bytesFreed);
            if (!peer.refused.isEmpty()) {
                break;
            }
        }
        for (String sentence : peer.refused) {
            assertTrue(sentence.startsWith("has ") && sentence.endsWith("on lane " + lane), sentence);
        }
        for (int i = 0; i < GUARD; i += 8) {
            assertEquals(0x5a5a5a5a5a5a5a5aL, all.getLong(i), "written in front of the segment");
            assertEquals(0x5a5a5a5a5a5a5a5aL, all.getLong(GUARD + SEGMENT + i), "written behind the segment");
        }
    }

    private void prepare() {
        for (int i = 0; i < GUARD; i += 8) {
            all.putLong(i, 0x5a5a5a5a5a5a5a5aL);
            all.putLong(GUARD + SEGMENT + i, 0x5a5a5a5a5a5a5a5aL);
        }
        for (int i = 0; i < InboxDescriptor.RINGS; i += 8) {
            inbox.putLong(i, 0);
        }
        for (int lane = 0; lane < 2; lane++) {
            long fill = IN_RING[lane] * 0x0101010101010101L;
            for (int i = 0; i < RING; i += 8) {
                inbox.putLong(InboxDescriptor.ring(lane, RING) + i, fill);
            }
        }
    }

    /** Writes the words of a record that a receiver might wait for, all of this lap. */
    private long write(int lane, long position, Written record) {
        int[] words = new int[Math.min(4096, InboxDescriptor.HEAD_WORDS
            + InboxDescriptor.payloadWords(record.length() >= InboxDescriptor.NOTIFIED ? 20 : record.length()))];
        java.util.Arrays.fill(words, WORD);
        words[0] = InboxDescriptor.head(record.kind(), record.length());
        if (record.length() >= InboxDescriptor.NOTIFIED) {
            words[3] = (int) record.bytes();
            words[4] = (int) (record.bytes() >>> 32);
            words[5] = (int) record.start();
            words[6] = (int) (record.start() >>> 32);
            words[7] = record.first();
        }
        int count = InboxDescriptor.wordCount(lane);
        for (int word : words) {
            inbox.putLong(InboxDescriptor.words(lane) + 8 * (int) (position % count),
                InboxDescriptor.word(word, InboxDescriptor.lap(position, count)));
            position++;
        }
        return position;
    }

    private void drain(SisciLaneReceiver receiver, Peer peer, int lane) {
        byte[] room = new byte[ROOM];
        Region target = new Region().wrap(room, 0);
        for (int turn = 0; turn < 64 && peer.refused.isEmpty() && receiver.poll(); turn++) {
            boolean words = receiver.bytes() <= InboxDescriptor.inlineBytes(lane);
            if (receiver.remaining() > ROOM || turn % 4 == 3) {
                receiver.tryDiscard(1 << 16);
                continue;
            }
            long before = receiver.remaining();
            long now = receiver.tryRecv(target, 0);
            assertTrue(now >= 0 && now <= before, now + " bytes of " + before);
            for (int i = 0; i < now; i++) {
                assertTrue(words ? room[i] == (byte) WORD : room[i] == IN_RING[lane],
                    () -> "a byte of elsewhere was received");
            }
            if (now == 0 && before > 0) {
                return;
            }
        }
    }
}

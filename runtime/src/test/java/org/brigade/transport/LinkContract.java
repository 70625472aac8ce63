package org.brigade.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.AwaitedWord;
import org.brigade.op.Combiner;
import org.junit.jupiter.api.Test;

/**
 * What every transport's links and endpoints must do. A transport is tested by a subclass that opens jobs of it in this
 * process.
 */
public abstract class LinkContract {
    private static final int[] SIZES = {0, 1, 2, 7, 8, 15, 16, 17, 47, 48, 49, 63, 64, 65, 127, 1000, 1023, 1024, 1025,
        4095, 4096, 4097, 8191, 8192, 8193, 20_000,
        65_536, 65_537, 100_001};
    private static final int LARGER_THAN_ANY_RING = (4 << 20) + 40;

    /** The ends of a fresh job, by rank. */
    protected abstract Endpoint[] open(int ranks);

    @Test
    void endpointsKnowTheirRankAndHandOutTheSameLinksAlways() {
        Endpoint[] ends = open(3);
        for (int rank = 0; rank < 3; rank++) {
            assertEquals(rank, ends[rank].rank());
            assertEquals(3, ends[rank].size());
            for (int peer = 0; peer < 3; peer++) {
                assertEquals(peer, ends[rank].link(peer, Endpoint.COLLECTIVE).peer());
                assertSame(ends[rank].link(peer, Endpoint.POINT_TO_POINT),
                    ends[rank].link(peer, Endpoint.POINT_TO_POINT));
            }
        }
    }

    /** A wait asks for the word that it looks at before anything has come from a peer, and before it has connected. */
    @Test
    void aLinkShowsItsWordAtAnyTime() {
        Endpoint[] ends = open(2);
        AwaitedWord word = new AwaitedWord();
        for (int lane = 0; lane < Endpoint.LANES; lane++) {
            Link in = ends[1].link(0, lane);
            in.show(word);
            assertFalse(in.poll());
            in.show(word);
            new Wire(ends[0].link(1, lane), in).queue(new Wire.Message(1, 1, 8, 0)).drain(new SplittableRandom(lane));
            in.show(word);
        }
    }

    @Test
    void aMessageOfAnySizeArrivesWholeBetweenAnyTwoRanksAndToOneself() {
        Endpoint[] ends = open(2);
        SplittableRandom random = new SplittableRandom(1);
        for (int from = 0; from < 2; from++) {
            for (int to = 0; to < 2; to++) {
                for (int lane = 0; lane < Endpoint.LANES; lane++) {
                    Wire wire = new Wire(ends[from].link(to, lane), ends[to].link(from, lane));
                    for (int size : SIZES) {
                        wire.queue(Wire.Message.random(random, size)).drain(random);
                    }
                    wire.queue(Wire.Message.random(random, LARGER_THAN_ANY_RING)).drain(random);
                }
            }
        }
    }

    @Property(tries = 60)
    void messagesArriveWholeAndInTheOrderTheyWereSent(@ForAll long seed,
        @ForAll @IntRange(min = 1, max = 300) int messages,
        @ForAll @IntRange(min = 0, max = 16) int sizeBits) {
        Endpoint[] ends = open(2);
        SplittableRandom random = new SplittableRandom(seed);
        Wire forth = new Wire(ends[0].link(1, Endpoint.COLLECTIVE), ends[1].link(0, Endpoint.COLLECTIVE));
        Wire back = new Wire(ends[1].link(0, Endpoint.COLLECTIVE), ends[0].link(1, Endpoint.COLLECTIVE));
        for (int i = 0; i < messages; i++) {
            int size = random.nextInt(1 << random.nextInt(sizeBits + 1));
            (random.nextBoolean() ? forth : back).queue(Wire.Message.random(random, size));
        }
        while (!forth.quiet() || !back.quiet()) {
            for (int calls = random.nextInt(50); calls > 0; calls--) {
                switch (random.nextInt(4)) {
                    case 0 -> forth.stepSend();
                    case 1 -> forth.stepReceive();
                    case 2 -> back.stepSend();
                    default -> back.stepReceive();
                }
            }
            if (random.nextInt(8) == 0) {
                forth.drain(random);
                back.drain(random);
            }
        }
    }

    @Test
    void aFullLinkRefusesAndGoesOnOnceTheReceiverHasTaken() {
        for (int size : new int[] {0, 8, 48, 49, 1000}) {
            Endpoint[] ends = open(2);
            SplittableRandom random = new SplittableRandom(size);
            Wire wire = new Wire(ends[0].link(1, Endpoint.COLLECTIVE), ends[1].link(0, Endpoint.COLLECTIVE));
            for (int i = 0; i < 20_000; i++) {
                wire.queue(new Wire.Message(i & 0xff, i, size, i));
            }
            int accepted = 0;
            int refusedInARow = 0;
            while (refusedInARow < Wire.DEAD / 10 && accepted < 20_000) {
                boolean done = wire.stepSend();
                accepted += done ? 1 : 0;
                refusedInARow = done ? 0 : refusedInARow + 1;
            }
            assertTrue(accepted >= 4,
                "only " + accepted + " messages of " + size + " bytes were accepted before the first refusal");
            assertTrue(accepted < 20_000,
                "20000 messages of " + size + " bytes were accepted and none received: is there no end to the link?");
            wire.drain(random);
        }
    }

    @Test
    void aMessageIsRefusedWhileAnotherIsUnfinished() {
        Endpoint[] ends = open(2);
        Link out = ends[0].link(1, Endpoint.COLLECTIVE);
        Region large = new Region().wrap(new byte[LARGER_THAN_ANY_RING], 0);
        long sent = Math.max(0, sendSome(out, large, LARGER_THAN_ANY_RING, 0));
        for (int i = 0; i < 3000; i++) {
            assertEquals(Link.REFUSED, out.trySend(2, 2, large, 0, 8, 0), "a packet overtook an unfinished message");
            assertEquals(Link.REFUSED, out.trySend(2, 2, large, 0, 100, 0),
                "a second message began inside an unfinished one");
            assertFalse(out.trySendWords(2, 2, 0, 0), "words overtook an unfinished message");
        }
        Link in = ends[1].link(0, Endpoint.COLLECTIVE);
        Region target = new Region().wrap(new byte[LARGER_THAN_ANY_RING], 0);
        long taken = 0;
        while (taken < LARGER_THAN_ANY_RING) {
            if (sent < LARGER_THAN_ANY_RING) {
                sent += Math.max(0, out.trySend(1, 1, large, 0, LARGER_THAN_ANY_RING, sent));
            }
            if (in.poll()) {
                assertEquals(1, in.kind());
                taken += in.tryRecv(target, taken);
            }
        }
        awaitWords(out, 3, 4);
        awaitMessage(in);
        assertEquals(3, in.word(0));
        assertEquals(4, in.word(1));
    }

    /** The first bytes of a message of kind 1 and key 1, however often the link hesitates. */
    private static long sendSome(Link out, Region source, long bytes, long sent) {
        long accepted = Link.REFUSED;
        for (int i = 0; i < Wire.DEAD && accepted == Link.REFUSED; i++) {
            accepted = out.trySend(1, 1, source, 0, bytes, sent);
        }
        assertTrue(accepted > 0, "an empty link accepted nothing");
        return accepted;
    }

    private static void awaitWords(Link out, long first, long second) {
        int i = 0;
        while (!out.trySendWords(7, 99, first, second)) {
            assertTrue(i++ < Wire.DEAD, "two words were never accepted");
        }
    }

    private static void awaitMessage(Link in) {
        int i = 0;
        while (!in.poll()) {
            assertTrue(i++ < Wire.DEAD, "a message that was sent never arrived");
        }
    }

    @Test
    void wordsTravelAsAMessageOf16Bytes() {
        Endpoint[] ends = open(2);
        awaitWords(ends[0].link(1, Endpoint.COLLECTIVE), 0x0123456789abcdefL, -1);
        Link in = ends[1].link(0, Endpoint.COLLECTIVE);
        awaitMessage(in);
        assertEquals(7, in.kind());
        assertEquals(99, in.key());
        assertEquals(16, in.bytes());
        assertEquals(0x0123456789abcdefL, in.word(0));
        assertEquals(-1, in.word(1));
        assertTrue(in.poll(), "looking at a message took it");
        long[] target = new long[2];
        receive(in, new Region().wrap(target, 0));
        assertArrayEquals(new long[] {0x0123456789abcdefL, -1}, target);
        assertFalse(in.poll(), "a message was there twice");
    }

    private static void receive(Link in, Region target) {
        long bytes = in.bytes();
        int idle = 0;
        for (long taken = 0; taken < bytes;) {
            awaitMessage(in);
            long now = in.tryRecv(target, taken);
            taken += now;
            idle = now > 0 ? 0 : idle + 1;
            assertTrue(idle < Wire.DEAD, "byte " + taken + " of " + bytes + " never arrived");
        }
    }

    @Test
    void aFullLaneLeavesTheOtherFree() {
        Endpoint[] ends = open(2);
        Link full = ends[0].link(1, Endpoint.COLLECTIVE);
        for (int i = 0; i < 20_000; i++) {
            full.trySendWords(1, 1, i, i);
        }
        awaitWords(ends[0].link(1, Endpoint.POINT_TO_POINT), 5, 6);
        awaitMessage(ends[1].link(0, Endpoint.POINT_TO_POINT));
        assertEquals(6, ends[1].link(0, Endpoint.POINT_TO_POINT).word(1));
    }

    @Test
    void whatIsDiscardedIsSkippedAndTheRestStaysInOrder() {
        for (int size : new int[] {0, 8, 48, 64, 4000, 100_000}) {
            for (int discarded : new int[] {0, 16, 48, 2000, size}) {
                Endpoint[] ends = open(2);
                Link out = ends[0].link(1, Endpoint.COLLECTIVE);
                Link in = ends[1].link(0, Endpoint.COLLECTIVE);
                byte[] content = new Wire.Message(1, 1, size, 11).content();
                Region source = new Region().wrap(content, 0);
                byte[] target = new byte[size];
                Region region = new Region().wrap(target, 0);
                long sent = 0;
                boolean gone = false;
                long skipped = 0;
                long taken = 0;
                boolean ended = false;
                for (int i = 0; !ended; i++) {
                    assertTrue(i < Wire.DEAD, size + " bytes, " + discarded + " discarded: stuck after sending " + sent
                        + ", taking " + taken);
                    if (!gone) {
                        long now = out.trySend(1, 1, source, 0, size, sent);
                        sent += Math.max(0, now);
                        gone = now != Link.REFUSED && sent == size;
                    }
                    if (!in.poll()) {
                        continue;
                    }
                    // Discarding may stop short of its limit by less than the largest element.
                    long now = discarded - skipped >= 16 || discarded == size && skipped < size || size == 0
                        ? in.tryDiscard(discarded - skipped) : 0;
                    skipped += now;
                    taken += now;
                    boolean mayTake = discarded < size && discarded - skipped < 16;
                    if (mayTake && taken < size) {
                        taken += in.tryRecv(region, taken);
                    }
                    ended = taken == size;
                }
                for (int i = (int) skipped; i < size; i++) {
                    assertEquals(content[i], target[i], size + " bytes, " + skipped + " discarded: byte " + i);
                }
                awaitWords(out, size, discarded);
                awaitMessage(in);
                assertEquals(size, in.word(0), "the message behind a discarded one");
            }
        }
    }

    /** Adds longs, the incoming one first times 3, so that a swapped operand shows. */
    private static final Combiner TRIPLE_AND_ADD = new Combiner() {
        @Override
        public int itemBytes() {
            return Long.BYTES;
        }

        @Override
        public void combine(NativeMemory incoming, int incomingAt, int bytes, Region operand, long operandAt,
            Region target, long targetAt) {
            assertEquals(0, incomingAt % 8, "the position of incoming bytes");
            assertEquals(0, bytes % 8, "a piece splits an element");
            long[] left = (long[]) operand.array();
            long[] result = (long[]) target.array();
            for (int i = 0; i < bytes / 8; i++) {
                long incomingLong = incoming.bytes.order(ByteOrder.nativeOrder()).getLong(incomingAt + 8 * i);
                result[(int) targetAt / 8 + i] = left[(int) operandAt / 8 + i] + 3 * incomingLong;
            }
        }
    };

    @Test
    void bytesAreCombinedAsTheyArriveEachOnce() {
        for (int longs : new int[] {1, 6, 7, 500, 10_000}) {
            Endpoint[] ends = open(2);
            Link out = ends[0].link(1, Endpoint.COLLECTIVE);
            Link in = ends[1].link(0, Endpoint.COLLECTIVE);
            long[] sending = new long[longs + 1];
            long[] operand = new long[longs];
            long[] target = new long[longs + 2];
            for (int i = 0; i < longs; i++) {
                sending[i + 1] = i * 17L;
                operand[i] = 1000 - i;
            }
            Region source = new Region().wrap(sending, 8);
            Region left = new Region().wrap(operand, 0);
            Region result = new Region().wrap(target, 0);
            long bytes = longs * 8L;
            long sent = 0;
            long taken = 0;
            for (int i = 0; taken < bytes; i++) {
                assertTrue(i < Wire.DEAD, "stuck at byte " + taken + " of " + bytes);
                if (sent < bytes) {
                    sent += Math.max(0, out.trySend(9, 9, source, 0, bytes, sent));
                }
                if (in.poll()) {
                    taken += in.tryRecvReduce(TRIPLE_AND_ADD, left, taken, result, taken);
                }
            }
            for (int i = 0; i < longs; i++) {
                assertEquals(1000 - i + 51L * i, target[i], longs + " longs: element " + i);
            }
            assertEquals(0, target[longs], "an element behind the message was written");
        }
    }

    @Test
    void directBuffersOfEverySizeAreCopiedWhole() {
        Endpoint[] ends = open(2);
        Link out = ends[0].link(1, Endpoint.POINT_TO_POINT);
        Link in = ends[1].link(0, Endpoint.POINT_TO_POINT);
        for (int size : new int[] {48, 1000, 20_000, 1 << 20}) {
            ByteBuffer source = ByteBuffer.allocateDirect(size + 8);
            ByteBuffer target = ByteBuffer.allocateDirect(size + 24);
            for (int i = 0; i < size + 8; i++) {
                source.put(i, (byte) (i * 31 + (i >> 8)));
            }
            Region from = new Region().wrap(source, 8);
            Region to = new Region().wrap(target, 16);
            long sent = 0;
            long taken = 0;
            for (int i = 0; taken < size; i++) {
                assertTrue(i < Wire.DEAD, "stuck at byte " + taken + " of " + size);
                if (sent < size) {
                    sent += Math.max(0, out.trySend(1, 1, from, 0, size, sent));
                }
                if (in.poll()) {
                    taken += in.tryRecv(to, taken);
                }
            }
            assertEquals(source.slice(8, size), target.slice(16, size), size + " bytes");
            assertEquals(0, target.getLong(size + 16), "bytes behind the message were written");
        }
    }

    /** A call that has failed sends the rest of its message from a copy; its buffers are the program's again. */
    @Test
    void aLongMessageGoesOnFromACopyAndIsNotWrittenAnyMoreWhereItWasAbandoned() {
        int size = LARGER_THAN_ANY_RING;
        for (int begun : new int[] {1, 200_000, 1_500_000}) {
            for (boolean abandons : new boolean[] {false, true}) {
                Endpoint[] ends = open(2);
                Link out = ends[0].link(1, Endpoint.COLLECTIVE);
                Link in = ends[1].link(0, Endpoint.COLLECTIVE);
                byte[] content = new Wire.Message(1, 1, size, 5).content();
                ByteBuffer source = ByteBuffer.allocateDirect(size).put(0, content);
                ByteBuffer target = ByteBuffer.allocateDirect(size);
                Region from = new Region().wrap(source, 0);
                Region to = new Region().wrap(target, 0);
                long sent = 0;
                long taken = 0;
                boolean copied = false;
                boolean abandoned = false;
                for (int i = 0; taken < size || sent < size; i++) {
                    assertTrue(i < Wire.DEAD, "stuck at byte " + taken + " of " + size);
                    if (sent >= begun && sent < size && !copied) {
                        copied = true;
                        from = new Region().wrap(content, 0);
                        sent += Math.max(0, out.trySend(1, 1, from, 0, size, sent)); // lets go of the old memory
                        source.put(0, new byte[size]);
                    }
                    if (sent < size) {
                        sent += Math.max(0, out.trySend(1, 1, from, 0, size, sent));
                    }
                    if (taken == size || !in.poll()) {
                        continue;
                    }
                    if (taken >= begun && abandons && !abandoned) {
                        abandoned = true;
                        in.abandon();
                        target.put(0, new byte[size]);
                    }
                    taken += abandoned ? in.tryDiscard(Long.MAX_VALUE) : in.tryRecv(to, taken);
                }
                byte[] expected = abandoned ? new byte[size] : content;
                assertEquals(-1, target.mismatch(ByteBuffer.wrap(expected)), begun + " bytes begun, " + abandons);
                awaitWords(out, 3, 4);
                awaitMessage(in);
                assertEquals(4, in.word(1), "the message behind");
            }
        }
    }

    @Test
    void longMessagesOutOfDirectMemoryAreCombined() {
        Endpoint[] ends = open(2);
        Link out = ends[0].link(1, Endpoint.COLLECTIVE);
        Link in = ends[1].link(0, Endpoint.COLLECTIVE);
        int longs = 300_001;
        ByteBuffer source = ByteBuffer.allocateDirect(8 * longs).order(ByteOrder.nativeOrder());
        long[] sum = new long[longs];
        for (int i = 0; i < longs; i++) {
            source.putLong(8 * i, i);
            sum[i] = 7L * i;
        }
        Region from = new Region().wrap(source, 0);
        Region to = new Region().wrap(sum, 0);
        long sent = 0;
        long taken = 0;
        for (int i = 0; taken < 8L * longs; i++) {
            assertTrue(i < Wire.DEAD, "stuck at byte " + taken);
            if (sent < 8L * longs) {
                sent += Math.max(0, out.trySend(1, 1, from, 0, 8L * longs, sent));
            }
            if (in.poll()) {
                taken += in.tryRecvReduce(TRIPLE_AND_ADD, to, taken, to, taken);
            }
        }
        for (int i = 0; i < longs; i++) {
            assertEquals(10L * i, sum[i], "element " + i);
        }
    }

    @Test
    void twoThreadsExchangeWithoutLosingAByte() throws InterruptedException {
        Endpoint[] ends = open(2);
        Throwable[] failures = new Throwable[2];
        Thread[] threads = new Thread[2];
        for (int rank = 0; rank < 2; rank++) {
            int self = rank;
            threads[rank] = new Thread(() -> {
                try {
                    Exchange.run(ends[self].link(1 - self, Endpoint.COLLECTIVE), 5000, 3);
                } catch (Throwable failure) {
                    failures[self] = failure;
                }
            });
            threads[rank].start();
        }
        for (int rank = 0; rank < 2; rank++) {
            threads[rank].join();
        }
        assertNull(failures[0]);
        assertNull(failures[1]);
    }

    @Test
    void nobodyIsLostUntilSomebodySaysSoAndTheFirstWordStands() {
        Endpoint[] ends = open(3);
        for (int i = 0; i < 10; i++) {
            assertNull(ends[i % 3].lostPeer());
        }
        ends[2].finished();
        assertNull(ends[0].lostPeer(), "a rank that has finalized is no loss");
        ends[1].fail("rank 1 cannot go on: \u00fcber", 7);
        ends[0].fail("a later word", 8);
        assertEquals(7, ends[0].failureCode());
        assertEquals("rank 1 cannot go on: \u00fcber", ends[0].lostPeer());
        assertEquals("rank 1 cannot go on: \u00fcber", ends[2].lostPeer());
    }
}

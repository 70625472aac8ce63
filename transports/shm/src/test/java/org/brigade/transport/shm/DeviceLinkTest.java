package org.brigade.transport.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.process.NamelessFile;
import org.brigade.op.Combiner;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.brigade.transport.shm.SlowDevices.Memory;
import org.brigade.transport.shm.SlowDevices.Reach;
import org.brigade.transport.tail.SegmentTail;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages from and to device memory, by every way there is between two ranks. */
@Tag("slow")
@Tag("once")
class DeviceLinkTest {
    private static final int[] SIZES = {0, 1, 7, 48, 49, 1000, 8191, 8192, 8193, 65_535, 65_536, 65_537, 200_003,
        (1 << 20) + 5, (3 << 20) + 16, (11 << 20) + 1};
    private static final int DEAD_MILLIS = 120_000;
    private static final int GUARD = 32;

    /**
     * A way between two ranks: what the sender's memory allows, what the receiver's devices do, and whether there is
     * room for a staging area.
     */
    enum Way {
        DIRECT(Reach.MAPPED, Reach.MAPPED, true), REFUSED_BY_RECEIVER(Reach.MAPPED, Reach.NOT_MAPPED, true),
        NOT_EXPORTED(Reach.NOT_EXPORTED, Reach.MAPPED, true),
        RECEIVER_WITHOUT_ENGINE(Reach.MAPPED, Reach.NO_ENGINE, true),
        SENDER_WITHOUT_ENGINE(Reach.NO_ENGINE, Reach.MAPPED, true), NO_ROOM(Reach.NOT_EXPORTED, Reach.MAPPED, false),
        DIRECT_WITHOUT_ROOM(Reach.MAPPED, Reach.MAPPED, false);

        final Reach sender;
        final Reach receiver;
        final boolean room;

        Way(Reach sender, Reach receiver, boolean room) {
            this.sender = sender;
            this.receiver = receiver;
            this.room = room;
        }
    }

    @TempDir
    private Path directory;
    private SlowDevices sending;
    private SlowDevices receiving;
    private Link out;
    private Link in;

    /** How long short messages wait for their receivers; by default sometimes long enough in these tests. */
    private long patienceNanos = 20_000;

    private void open(Way way, int share, boolean narrow) {
        SegmentDescriptor layout = narrow ? SegmentDescriptor.smallest(2) : SegmentDescriptor.forRanks(2);
        NativeMemory memory = NativeMemory.allocate((int) layout.bytes());
        SharedEndpoint[] ends =
            {SharedEndpoint.ofThread(layout, memory, 0), SharedEndpoint.ofThread(layout, memory, 1)};
        sending = new SlowDevices(way.sender, share);
        receiving = new SlowDevices(way.receiver, share);
        Path place = way.room ? directory : directory.resolve("absent");
        SegmentTail areas =
            new SegmentTail(() -> NamelessFile.make(place, "areas"), directory, NativeMemory.allocate(Long.BYTES), 0);
        ends[0].use(sending, areas);
        ends[1].use(receiving, areas);
        ends[0].deviceSide().patienceNanos = patienceNanos;
        out = ends[0].link(1, Endpoint.POINT_TO_POINT);
        in = ends[1].link(0, Endpoint.POINT_TO_POINT);
    }

    /** A message under test: a buffer at either end, in device memory or not, at an odd place. */
    private static final class Message {
        final int bytes;
        final Region source = new Region();
        final Region target = new Region();
        final Object to;
        final int at;
        final byte[] content;
        long sent;
        boolean gone;
        long taken;

        Message(SplittableRandom random, int bytes, boolean deviceSource, boolean deviceTarget) {
            this.bytes = bytes;
            at = random.nextInt(4) * 16;
            content = new byte[bytes];
            for (int i = 0; i < bytes; i++) {
                content[i] = (byte) random.nextInt();
            }
            if (deviceSource) {
                Memory from = Memory.allocate(bytes + 64);
                from.content.put(at, content);
                source.wrap(from, at);
            } else {
                source.wrap(content, 0);
            }
            to = deviceTarget ? Memory.allocate(bytes + 64 + GUARD) : new byte[bytes + 64 + GUARD];
            target.wrap(to, at);
        }

        /** As the target has it. */
        byte[] arrived() {
            byte[] all = new byte[bytes + 64 + GUARD];
            if (to instanceof Memory memory) {
                memory.content.get(0, all);
            } else {
                System.arraycopy((byte[]) to, 0, all, 0, all.length);
            }
            return all;
        }

        void check(String what) {
            byte[] all = arrived();
            for (int i = 0; i < all.length; i++) {
                byte expected = i >= at && i < at + bytes ? content[i - at] : 0;
                if (all[i] != expected) {
                    throw new AssertionError(
                        what + ": byte " + (i - at) + " of " + bytes + " is " + all[i] + ", not " + expected);
                }
            }
        }

        void free() {
            if (source.buffer() instanceof Memory memory) {
                memory.free();
            }
            if (to instanceof Memory memory) {
                memory.free();
            }
        }
    }

    private boolean stepSend(Message message, int key) {
        long now = out.trySend(5, key, message.source, 0, message.bytes, message.sent);
        if (now == Link.REFUSED) {
            return false;
        }
        message.sent += now;
        message.gone = message.sent == message.bytes;
        assertTrue(message.sent <= message.bytes, message.sent + " bytes of " + message.bytes + " were accepted");
        return now > 0 || message.gone;
    }

    private boolean stepReceive(Message message, int key) {
        if (!in.poll()) {
            return false;
        }
        assertEquals(5, in.kind());
        assertEquals(key, in.key());
        assertEquals(message.bytes, in.bytes());
        assertEquals(message.bytes - message.taken, in.remaining());
        long now = in.tryRecv(message.target, message.taken);
        message.taken += now;
        return now > 0 || message.bytes == 0;
    }

    private void transfer(List<Message> messages, SplittableRandom random, String what) {
        int out = 0;
        int in = 0;
        long moved = System.nanoTime();
        while (out < messages.size() || in < messages.size()) {
            boolean any = false;
            if (out < messages.size() && random.nextBoolean()) {
                any = stepSend(messages.get(out), out);
                out += messages.get(out).gone ? 1 : 0;
            } else if (in < messages.size()) {
                Message message = messages.get(in);
                any = stepReceive(message, in);
                if (any && message.taken == message.bytes) {
                    message.check(what + ", message " + in);
                    in++;
                }
            }
            if (any) {
                moved = System.nanoTime();
            } else if (System.nanoTime() - moved > DEAD_MILLIS * 1_000_000L) {
                throw new AssertionError(
                    what + ": stuck after sending " + out + " and receiving " + in + " of " + messages.size());
            }
        }
        for (Message message : messages) {
            message.free();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void messagesOfEverySizeArriveWholeBetweenAnyTwoKindsOfMemory(Way way) {
        for (boolean narrow : new boolean[] {false, true}) {
            open(way, 10, narrow);
            SplittableRandom random = new SplittableRandom(way.ordinal());
            for (int kinds = 0; kinds < 4; kinds++) {
                for (int size : SIZES) {
                    transfer(List.of(new Message(random, size, (kinds & 1) != 0, (kinds & 2) != 0)), random,
                        way + (narrow ? ", narrow" : "") + ", " + ((kinds & 1) != 0 ? "device" : "host") + " to "
                            + ((kinds & 2) != 0 ? "device" : "host") + ", " + size + " bytes");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void manyMessagesOfBothKindsStayInOrder(Way way) {
        open(way, 10, false);
        SplittableRandom random = new SplittableRandom(way.ordinal() + 100);
        for (int round = 0; round < 5; round++) {
            List<Message> messages = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                messages.add(new Message(random, random.nextInt(1 << random.nextInt(20)), random.nextBoolean(),
                    random.nextBoolean()));
            }
            transfer(messages, random, way.toString());
        }
    }

    @Test
    void aLongMessageBetweenDevicesIsOneCopyAndTouchesNoHostMemory() {
        open(Way.DIRECT, 10, false);
        transfer(List.of(new Message(new SplittableRandom(1), 1 << 20, true, true)), new SplittableRandom(2), "direct");
        assertEquals(1, receiving.pulls.get());
        assertEquals(0, sending.reads.get() + receiving.writes.get());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 16, 17, 48, 49, 8191})
    void aShortMessageWhoseReceiverIsThereIsOneCopy(int bytes) {
        patienceNanos = Long.MAX_VALUE;
        open(Way.DIRECT, 10, false);
        for (int i = 1; i <= 3; i++) {
            transfer(List.of(new Message(new SplittableRandom(i), bytes, true, true)), new SplittableRandom(2),
                "short");
            assertEquals(i, receiving.pulls.get());
        }
    }

    /** Its sender goes on. The next messages are not offered: one, then two; then an offer is taken. */
    @Test
    void aShortMessageWhoseReceiverIsLateGoesThroughTheRing() {
        patienceNanos = 1;
        open(Way.DIRECT, 10, false);
        SplittableRandom random = new SplittableRandom(1);
        List<Message> messages = new ArrayList<>();
        int[] steps = new int[6];
        for (int i = 0; i < steps.length; i++) {
            Message message = new Message(random, 20 + i, true, true);
            messages.add(message);
            while (!message.gone && steps[i] < 3) {
                steps[i]++;
                stepSend(message, i);
            }
        }
        assertArrayEquals(new int[] {2, 1, 2, 1, 1, 2}, steps, "those that are offered take two steps");
        for (int i = 0; i < steps.length; i++) {
            while (messages.get(i).taken < messages.get(i).bytes) {
                stepReceive(messages.get(i), i);
            }
            messages.get(i).check("message " + i);
        }
        assertEquals(0, receiving.pulls.get());
    }

    /** Into host memory there is no copy that the receiver could make. */
    @Test
    void aShortMessageToHostMemoryComesThroughTheRingAtOnce() {
        patienceNanos = Long.MAX_VALUE;
        open(Way.DIRECT, 10, false);
        transfer(List.of(new Message(new SplittableRandom(1), 1000, true, false)), new SplittableRandom(2), "short");
        assertEquals(0, receiving.pulls.get());
    }

    @Test
    void aVeryLongMessageTakesBothWaysAtOnce() {
        for (boolean room : new boolean[] {true, false}) {
            open(room ? Way.DIRECT : Way.DIRECT_WITHOUT_ROOM, 10, false);
            transfer(
                List.of(new Message(new SplittableRandom(3), (64 << 20) + 11, true, true),
                    new Message(new SplittableRandom(4), 100_000, true, true)),
                new SplittableRandom(5), "two ways");
            assertEquals(2, receiving.pulls.get());
            assertEquals(room, receiving.writes.get() > 0, "chunks that came through the host");
            assertEquals(sending.reads.get(), receiving.writes.get());
        }
    }

    @Test
    void aShareOfNothingIsOneWay() {
        open(Way.DIRECT, 0, false);
        transfer(List.of(new Message(new SplittableRandom(3), 64 << 20, true, true)), new SplittableRandom(5),
            "one way");
        assertEquals(0, sending.reads.get());
    }

    @Test
    void aStagingAreaHasNoName() throws IOException {
        open(Way.NOT_EXPORTED, 10, false);
        transfer(List.of(new Message(new SplittableRandom(1), 1 << 20, true, true)), new SplittableRandom(2), "staged");
        assertTrue(sending.reads.get() > 1,
            "a message of 1 MiB went in " + sending.reads.get() + " chunks: nothing overlaps");
        try (Stream<Path> left = Files.list(directory)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void whatIsDiscardedIsSkippedAndWhatFollowsArrives(Way way) {
        for (int size : new int[] {48, 1000, 8192, 100_000, 3 << 20}) {
            for (int discarded : new int[] {0, 16, 4096, size / 2 & -16, size}) {
                open(way, 10, false);
                SplittableRandom random = new SplittableRandom(size + discarded);
                Message message = new Message(random, size, true, random.nextBoolean());
                long skipped = 0;
                long deadline = System.nanoTime() + DEAD_MILLIS * 1_000_000L;
                while (message.taken < size) {
                    assertTrue(System.nanoTime() < deadline,
                        way + ": stuck with " + message.sent + " sent and " + message.taken + " taken of " + size);
                    if (!message.gone) {
                        stepSend(message, 0);
                    }
                    if (!in.poll()) {
                        continue;
                    }
                    if (skipped < discarded) {
                        long now = in.tryDiscard(discarded - skipped);
                        skipped += now;
                        message.taken += now;
                        assertTrue(skipped <= discarded || discarded < 16,
                            way + ": " + skipped + " bytes were discarded, the limit was " + discarded);
                    } else {
                        message.taken += in.tryRecv(message.target, message.taken);
                    }
                }
                while (!message.gone) {
                    assertTrue(System.nanoTime() < deadline, way + ": the sender never learnt of the end");
                    stepSend(message, 0);
                }
                System.arraycopy(message.arrived(), message.at, message.content, 0, (int) skipped);
                message.check(way + ", " + discarded + " of " + size + " bytes discarded");
                message.free();
                transfer(List.of(new Message(random, 70_000, true, true)), random, "after a discarded one");
            }
        }
    }

    /** Adds longs, the incoming ones times 3, so that a swapped operand shows. */
    private static final Combiner TRIPLE_AND_ADD = new Combiner() {
        @Override
        public int itemBytes() {
            return Long.BYTES;
        }

        @Override
        public void combine(NativeMemory incoming, int incomingAt, int bytes, Region operand, long operandAt,
            Region target, long targetAt) {
            NativeMemory words = NativeMemory.allocate(bytes);
            operand.read(operandAt, words, 0, bytes);
            for (int i = 0; i < bytes; i += 8) {
                words.putLong(i, words.getLong(i) + 3 * incoming.getLong(incomingAt + i));
            }
            target.write(targetAt, words, 0, bytes);
        }
    };

    @ParameterizedTest
    @EnumSource(Way.class)
    void bytesAreCombinedEachOnce(Way way) {
        open(way, 10, false);
        for (int longs : new int[] {1, 1000, 10_000, 300_001}) {
            for (boolean onDevice : new boolean[] {false, true}) {
                int bytes = longs * 8;
                Memory from = Memory.allocate(bytes);
                ByteBuffer operand = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
                for (int i = 0; i < longs; i++) {
                    from.content.order(ByteOrder.nativeOrder()).putLong(i * 8, i * 17L);
                    operand.putLong(i * 8, 1000 - i);
                }
                Memory on = Memory.allocate(bytes);
                on.write(0, operand, 0, bytes);
                Region left = new Region().wrap(onDevice ? on : operand, 0);
                Region source = new Region().wrap(from, 0);
                long sent = 0;
                long taken = 0;
                long deadline = System.nanoTime() + DEAD_MILLIS * 1_000_000L;
                while (taken < bytes || sent < bytes) {
                    assertTrue(System.nanoTime() < deadline,
                        way + ": stuck with " + sent + " sent and " + taken + " taken of " + bytes);
                    if (sent < bytes) {
                        sent += Math.max(0, out.trySend(1, 1, source, 0, bytes, sent));
                    }
                    if (taken < bytes && in.poll()) {
                        taken += in.tryRecvReduce(TRIPLE_AND_ADD, left, taken, left, taken);
                    }
                }
                ByteBuffer result = onDevice ? on.content : operand;
                for (int i = 0; i < longs; i++) {
                    assertEquals(1000 - i + 51L * i, result.order(ByteOrder.nativeOrder()).getLong(i * 8),
                        way + ", " + longs + " longs: element " + i);
                }
            }
        }
    }

    @Test
    void nothingPassesAMessageThatIsOnOffer() {
        open(Way.DIRECT, 10, false);
        Message message = new Message(new SplittableRandom(1), 100_000, true, true);
        assertTrue(stepSend(message, 0));
        Region other = new Region().wrap(Memory.allocate(1000), 0);
        Region host = new Region().wrap(new byte[100_000], 0);
        for (int i = 0; i < 100; i++) {
            assertEquals(Link.REFUSED, out.trySend(5, 1, other, 0, 1000, 0));
            assertEquals(Link.REFUSED, out.trySend(5, 1, host, 0, 8, 0));
            assertEquals(Link.REFUSED, out.trySend(5, 1, host, 0, 100_000, 0));
            assertFalse(out.trySendWords(5, 1, 0, 0));
        }
        assertTrue(message.sent < 100_000, "the message was accepted whole before anybody took it");
    }

    @Test
    void whoBeginsToTakeAMessageKeepsIt() {
        for (Way way : Way.values()) {
            open(way, 10, false);
            Message message = new Message(new SplittableRandom(1), 1 << 20, true, true);
            assertTrue(stepSend(message, 0));
            assertTrue(in.poll());
            assertFalse(in.isTaken(), way + ": nobody has asked for it");
            long deadline = System.nanoTime() + DEAD_MILLIS * 1_000_000L;
            while (message.taken == 0) {
                assertTrue(System.nanoTime() < deadline, way.toString());
                in.poll();
                boolean before = in.isTaken();
                stepReceive(message, 0);
                assertTrue(!before || message.taken == 1 << 20 || in.isTaken(),
                    way + ": a message that is being taken was let go");
                if (!message.gone) {
                    stepSend(message, 0);
                }
            }
        }
    }

    @Test
    void aMessageBegunFromDeviceMemoryGoesOnFromACopy() {
        for (Way way : Way.values()) {
            open(way, 10, false);
            Message message = new Message(new SplittableRandom(9), 1 << 20, true, false);
            assertTrue(stepSend(message, 0));
            message.source.wrap(message.content.clone(), 0);
            long deadline = System.nanoTime() + DEAD_MILLIS * 1_000_000L;
            while (message.taken < message.bytes) {
                assertTrue(System.nanoTime() < deadline, way.toString());
                if (!message.gone) {
                    stepSend(message, 0);
                }
                stepReceive(message, 0);
            }
            message.check(way.toString());
        }
    }

    /** As a collective does that has failed here. What the device had not brought is not sent as if it had. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2, -1})
    void aMessageGoesOnFromHostMemoryWhenTheDeviceIsGone(int failAfter) {
        open(Way.NOT_EXPORTED, 10, false);
        Message message = new Message(new SplittableRandom(1), (3 << 20) + 5, true, true);
        sending.failAfter = failAfter;
        long deadline = System.nanoTime() + DEAD_MILLIS * 1_000_000L;
        assertThrows(IllegalStateException.class, () -> {
            while (System.nanoTime() < deadline) {
                stepSend(message, 0);
                stepReceive(message, 0);
            }
        });
        message.source.wrap(message.content.clone(), 0);
        while (message.taken < message.bytes) {
            assertTrue(System.nanoTime() < deadline, "stuck at " + message.taken);
            if (!message.gone) {
                stepSend(message, 0);
            }
            stepReceive(message, 0);
        }
        message.check("from host memory");
    }

    /** Also in two parts, of which the peer sends one. */
    @ParameterizedTest
    @CsvSource({"DIRECT, 1048576, 0", "NOT_EXPORTED, 1048576, 0", "DIRECT, 1048576, -1", "NOT_EXPORTED, 1048576, -1",
        "DIRECT, 70000000, 0", "DIRECT, 70000000, -1"})
    void aDeviceThatFailsIsAnErrorOfTheCallAndTheLinkCanBeCleared(Way way, int bytes, int failAfter) {
        open(way, 10, false);
        receiving.failAfter = failAfter;
        Message message = new Message(new SplittableRandom(1), bytes, true, true);
        long patience = System.nanoTime() + DEAD_MILLIS * 1_000_000L;
        assertThrows(IllegalStateException.class, () -> {
            while (System.nanoTime() < patience) {
                stepSend(message, 0);
                stepReceive(message, 0);
            }
        });
        long deadline = System.nanoTime() + DEAD_MILLIS * 1_000_000L;
        while (!message.gone || in.poll()) {
            assertTrue(System.nanoTime() < deadline, "the sender never learnt of the end");
            if (!message.gone) {
                stepSend(message, 0);
            }
            if (in.poll()) {
                in.tryDiscard(Long.MAX_VALUE);
            }
        }
        receiving.failAfter = Integer.MAX_VALUE;
        transfer(List.of(new Message(new SplittableRandom(2), 300_000, true, true)), new SplittableRandom(3),
            way + ", after a failure");
    }
}

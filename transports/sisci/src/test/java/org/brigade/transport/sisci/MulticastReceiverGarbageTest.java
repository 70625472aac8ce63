package org.brigade.transport.sisci;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.InboundLink;
import org.brigade.transport.sisci.adapter.MulticastDescriptor;

/**
 * Whatever a member writes into its ring: a receiver takes no word that is not of this lap, writes nothing there,
 * acknowledges nothing that was not there, and throws nothing.
 */
class MulticastReceiverGarbageTest {
    private static final int WORDS = 4096;
    private static final int GUARD = 4096;
    private static final int ID = 0x8400_1234;
    private static final int ROOM = MulticastDescriptor.CHUNK_WORDS * MulticastDescriptor.DATA_BYTES;

    private final NativeMemory memory = NativeMemory.allocate(GUARD + WORDS * 8 + GUARD);
    private long acknowledged;

    private MulticastReceiver receiver() {
        acknowledged = 0;
        return new MulticastReceiver(ID, 0, (slot, value) -> {
            long now = MulticastDescriptor.consumed(ID, value);
            assertTrue(now > acknowledged, "an acknowledgement goes back to " + now + " from " + acknowledged);
            acknowledged = now;
        }, memory, GUARD, WORDS);
    }

    @Property(tries = 1000)
    void nothingIsTakenThatIsNotOfThisLap(@ForAll long seed, @ForAll @IntRange(min = 0, max = 63) int wrongOnceIn,
        @ForAll @IntRange(min = 0, max = 48) int lengthBits) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int at = 0; at < memory.capacity(); at += 8) {
            memory.putLong(at, random.nextLong());
        }
        long right = 0; // words of the first lap, without a gap
        boolean gap = false;
        for (int i = 0; i < WORDS; i++) {
            gap |= wrongOnceIn > 0 && random.nextInt(wrongOnceIn * wrongOnceIn) == 0;
            long data = random.nextInt(3) == 0
                ? MulticastDescriptor.head(random.nextInt(256), random.nextLong() & (1L << lengthBits) - 1)
                : random.nextLong();
            memory.putLong(GUARD + i * 8,
                MulticastDescriptor.word(data, gap ? WORDS * (1L + random.nextInt(254)) : i, WORDS));
            right += gap ? 0 : 1;
        }
        byte[] before = new byte[memory.capacity()];
        memory.bytes.get(0, before);
        MulticastReceiver receiver = receiver();
        Region target = new Region().wrap(new byte[ROOM], 0);
        for (int turn = 0; turn < 20_000 && receiver.poll(); turn++) {
            long remaining = receiver.remaining();
            long limit = 1 + random.nextInt(100_000);
            long now = turn % 3 == 2 ? receiver.tryDiscard(limit) : receiver.tryRecv(target, 0);
            assertTrue(now >= 0 && now <= remaining, now + " bytes of " + remaining);
            if (now == 0 && remaining > 0 && turn % 3 != 2) {
                break;
            }
        }
        receiver.acknowledge();
        assertTrue(acknowledged <= right, acknowledged + " words were acknowledged of " + right);
        byte[] after = new byte[memory.capacity()];
        memory.bytes.get(0, after);
        assertArrayEquals(before, after, "the receiver has written");
    }

    /** Messages of any lengths, word by word in any order, laps over laps: what is taken is what was sent. */
    @Property(tries = 300)
    void wordsThatComeInAnyOrderMakeTheMessage(@ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int messages) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int at = 0; at < memory.capacity(); at += 8) {
            memory.putLong(at, 0);
        }
        MulticastReceiver receiver = receiver();
        NativeMemory words = NativeMemory.allocate(WORDS * 8);
        long written = 0;
        for (int message = 0; message < messages; message++) {
            byte[] data = new byte[random.nextInt(random.nextBoolean() ? ROOM : InboundLink.PACKET_BYTES + 1)];
            random.nextBytes(data);
            int count = (int) MulticastDescriptor.payloadWords(data.length);
            ByteBuffer source = NativeMemory.allocate(data.length + 8).bytes;
            source.put(0, data);
            MulticastDescriptor.pack(source, 0, words.bytes, 0, count, 0);
            long first = written;
            long[] made = new long[count + 2];
            made[0] = MulticastDescriptor.head(3, data.length);
            made[1] = MulticastDescriptor.key(message);
            for (int i = 0; i < count; i++) {
                made[i + 2] = words.getLong(i * 8);
            }
            byte[] got = new byte[data.length];
            Region target = new Region().wrap(got, 0);
            int[] order = random.ints(made.length, 0, made.length).toArray();
            long done = 0;
            for (int i = 0; i < made.length + order.length; i++) {
                int at = i < order.length ? order[i] : i - order.length; // some early, in any order; then all, some
                                                                         // again
                long position = first + at;
                memory.putLong(GUARD + (int) (position % WORDS) * 8,
                    MulticastDescriptor.word(made[at], position, WORDS));
                if (i % 97 == 0 && done < data.length && receiver.poll()) {
                    done += receiver.tryRecv(target, done);
                }
            }
            while (done < data.length || data.length == 0 && receiver.poll()) {
                assertTrue(receiver.poll(), "the message is there");
                assertEquals(data.length, receiver.bytes());
                assertEquals(message, receiver.key());
                for (int i = 0; data.length <= InboundLink.PACKET_BYTES && i < data.length / 8; i++) {
                    assertEquals(source.getLong(i * 8), receiver.word(i));
                }
                done += receiver.tryRecv(target, done);
            }
            assertArrayEquals(data, got);
            written += made.length;
        }
        receiver.acknowledge();
        assertEquals(written, acknowledged);
    }
}

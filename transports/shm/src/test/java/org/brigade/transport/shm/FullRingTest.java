package org.brigade.transport.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Random;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.Link;
import org.junit.jupiter.api.Test;

/** A sender fetches lines of the ring ahead by storing into them: never into bytes that wait for the receiver. */
class FullRingTest {
    private static final int SLOTS = 8;
    private static final int RING = 1 << 10;
    /** The longest message of one chunk. */
    private static final int MOST = 256;

    private final NativeMemory memory = NativeMemory.allocate(ChannelDescriptor.bytes(SLOTS, RING));
    private final ChannelSender sender = new ChannelSender(memory, 0, SLOTS, RING);
    private final ChannelReceiver receiver = new ChannelReceiver(memory, 0, SLOTS, RING);
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private final Random random = new Random(1);

    /** Sends until there is no room. */
    private void fill() {
        while (true) {
            byte[] message = new byte[Link.PACKET_BYTES + 1 + random.nextInt(MOST - Link.PACKET_BYTES)];
            random.nextBytes(message);
            if (sender.trySend(1, 2, new Region().wrap(message, 0), 0, message.length, 0) < 0) {
                return;
            }
            waiting.add(message);
        }
    }

    private void takeOne() {
        byte[] sent = waiting.remove();
        byte[] got = new byte[sent.length];
        assertTrue(receiver.poll());
        assertEquals(sent.length, receiver.bytes());
        assertEquals(sent.length, receiver.tryRecv(new Region().wrap(got, 0), 0));
        assertArrayEquals(sent, got);
    }

    @Test
    void noByteIsLost() {
        for (int lap = 0; lap < 500; lap++) {
            fill();
            assertFalse(waiting.isEmpty());
            for (int left = random.nextInt(waiting.size()); waiting.size() > left;) {
                takeOne();
            }
        }
    }
}

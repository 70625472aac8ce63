package org.brigade.transport.packet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.brigade.memory.Region;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ends of a fabric make of peers that do not answer, and of messages that do not come. */
class PacketPeersTest {
    private static final long DEADLINE_NANOS = 60_000_000_000L;
    private static final long PATIENCE_NANOS = 3_600_000_000_000L;
    private static final int WINDOW = 512 << 10;
    private static final int NOTICES = 1;
    /** Three pieces. */
    private static final int LONG = 2 * PacketDescriptor.PIECE_BYTES + 1000;
    /** One piece. */
    private static final int SHORT = 1000;
    private static final int NUMBERS = 1 << 16;

    private final PacketEnd[] ends = new PacketEnd[2];

    private void open(Wire.Loss loss) {
        Wire wire = new Wire(2, loss);
        for (int rank = 0; rank < 2; rank++) {
            ends[rank] = new PacketEnd(rank, 2, wire.carrier(rank), WINDOW, PATIENCE_NANOS, false);
        }
    }

    @AfterEach
    void close() {
        ends[0].close();
        ends[1].close();
    }

    private Link out() {
        return ends[0].link(1, Endpoint.COLLECTIVE);
    }

    private Link in() {
        return ends[1].link(0, Endpoint.COLLECTIVE);
    }

    /**
     * Of one question the host may have acknowledged, and the answer been lost: then the host's silence shows nothing.
     */
    @Test
    void aPeerThatDoesNotAnswerIsAskedAgain() {
        AtomicInteger asked = new AtomicInteger();
        open((to, tag, message) -> {
            asked.addAndGet(tag == NOTICES ? 1 : 0);
            return true;
        });
        assertTrue(out().trySendWords(1, 1, 1, 2));
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (asked.get() < 4) {
            assertNull(ends[0].lost(1));
            assertTrue(System.nanoTime() - deadline < 0, () -> "asked " + asked + " times");
        }
    }

    private static byte[] bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private void send(int key, byte[] bytes) {
        long sent = 0;
        while (sent < bytes.length) {
            long now = out().trySend(1, key, new Region().wrap(bytes, 0), 0, bytes.length, sent);
            assertTrue(now > 0, "the window is wide enough");
            sent += now;
        }
    }

    private void sendWords(int key) {
        boolean gone = out().trySendWords(1, key, key, ~key);
        assertTrue(gone || out().trySendWords(1, key, key, ~key), "the first try has taken in the credit");
    }

    /** Takes what comes of the message at the head; returns how many bytes have come. */
    private int take(byte[] into) {
        int taken = 0;
        for (long now = 1; taken < into.length && now > 0; taken += now) {
            now = in().tryRecv(new Region().wrap(into, 0), taken);
        }
        return taken;
    }

    /**
     * A message of three pieces, one of one piece, and again; one of these pieces is lost. All before it is received,
     * and nothing behind it, although a whole message or the next piece of the same length comes there.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void behindALostPieceNothingIsReceivedAndItsSenderIsLost(int lost) {
        AtomicInteger pieces = new AtomicInteger();
        open((to, tag, message) -> tag != NOTICES && to == 1 && pieces.getAndIncrement() == lost);
        int[] lengths = {LONG, SHORT, LONG, SHORT};
        for (int i = 0; i < lengths.length; i++) {
            send(i, bytes(i, lengths[i]));
        }
        int come = 0; // pieces
        for (int i = 0; i < lengths.length; i++) {
            int itsPieces = lengths[i] == LONG ? 3 : 1;
            byte[] into = new byte[lengths[i]];
            if (come == lost) {
                assertFalse(in().poll(), "a message behind the lost piece is there");
                break;
            }
            assertTrue(in().poll());
            assertEquals(i, in().key());
            assertEquals(lengths[i], in().bytes());
            int taken = take(into);
            int expected = lost < come + itsPieces ? (lost - come) * PacketDescriptor.PIECE_BYTES : lengths[i];
            assertEquals(expected, taken);
            assertArrayEquals(Arrays.copyOf(bytes(i, lengths[i]), taken), Arrays.copyOf(into, taken));
            if (taken < lengths[i]) {
                assertEquals(0, in().tryRecv(new Region().wrap(into, 0), taken));
                break;
            }
            come += itsPieces;
        }
        assertEquals("rank 0 has ended while it sent: a piece of its was lost", ends[1].lost(0));
        assertFalse(in().trySendWords(1, 1, 1, 2), "nothing goes to a lost rank");
    }

    /** The numbers of pieces begin again after 65,536 of them; a loss is noticed there, too. */
    @Test
    void pieceNumbersBeginAgain() {
        int lost = 2 * NUMBERS;
        AtomicInteger pieces = new AtomicInteger();
        open((to, tag, message) -> tag != NOTICES && to == 1 && pieces.getAndIncrement() == lost);
        for (int i = 0; i < lost; i++) {
            sendWords(i);
            assertTrue(in().poll(), "message " + i);
            assertEquals(i, in().key());
            assertEquals(~i, in().word(1));
            in().tryDiscard(Long.MAX_VALUE);
        }
        assertNull(ends[1].lost(0));
        sendWords(0);
        sendWords(1);
        assertFalse(in().poll());
        assertTrue(ends[1].lost(0).contains("was lost"));
    }
}

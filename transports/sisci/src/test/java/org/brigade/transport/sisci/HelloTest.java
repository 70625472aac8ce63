package org.brigade.transport.sisci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.sisci.adapter.InboxDescriptor;
import org.brigade.transport.sisci.adapter.Sisci;
import org.brigade.transport.sisci.adapter.SisciSettings;
import org.junit.jupiter.api.Test;

/** The first word of a rank to another, and the layout that it announces. */
class HelloTest {
    @Property
    void comesBackAsItWent(@ForAll int from, @ForAll int to, @ForAll int node, @ForAll int id, @ForAll int ring,
        @ForAll long job) {
        Hello hello = new Hello(from, to, node, id, ring, job);
        assertEquals(hello, Hello.decode(hello.encode()));
        assertTrue(hello.encode().length <= Sisci.INTERRUPT_BYTES);
    }

    @Property
    void anyBytesAreAHelloOrNone(@ForAll @Size(max = 300) byte[] message) {
        Hello hello = Hello.decode(message);
        assertTrue(hello == null || message.length == 32);
    }

    @Property
    void aHelloOfAnotherMagicIsNone(@ForAll @IntRange(min = 0, max = 3) int place,
        @ForAll @IntRange(min = 1, max = 255) int change) {
        byte[] message = new Hello(0, 1, 4, 5, 1 << 20, 6).encode();
        message[place] ^= (byte) change;
        assertNull(Hello.decode(message));
    }

    /** What is not complained of has a size that neither overflows nor lets areas overlap. */
    @Property
    void ringsThatNoInboxHasAreComplainedOf(@ForAll int ring) {
        Hello hello = new Hello(0, 1, 4, 5, ring, 6);
        if (hello.complaint() == null) {
            assertTrue(ring >= InboxDescriptor.SMALLEST_RING && ring <= InboxDescriptor.LARGEST_RING
                && Integer.bitCount(ring) == 1);
        } else {
            assertTrue(hello.complaint().contains(" " + ring + " bytes"), hello.complaint());
        }
    }

    @Test
    void areasOfAnInboxFollowOneAnotherForAllRings() {
        for (int ring = InboxDescriptor.SMALLEST_RING; ring <= InboxDescriptor.LARGEST_RING; ring <<= 1) {
            int end = FabricEnd.LANES * InboxDescriptor.LINE;
            assertTrue(end <= InboxDescriptor.WORDS);
            end = InboxDescriptor.WORDS;
            for (int lane = 0; lane < FabricEnd.LANES; lane++) {
                assertEquals(end, InboxDescriptor.words(lane));
                end += 8 * InboxDescriptor.wordCount(lane);
            }
            assertEquals(end, InboxDescriptor.ring(0, ring));
            assertEquals(end + ring, InboxDescriptor.ring(1, ring));
            assertEquals(end + 2 * ring, InboxDescriptor.bytes(ring));
        }
    }

    @Test
    void aConnectionHasLessThan64MiBOfSegmentsWhateverIsSet() {
        for (int ring = InboxDescriptor.SMALLEST_RING; ring <= InboxDescriptor.LARGEST_RING; ring <<= 1) {
            for (int channels = 1; channels <= 16; channels++) {
                long bytes = new SisciSettings(ring, channels, 1, 1, 0, false).segmentBytes();
                assertTrue(bytes < 64 << 20, ring + " bytes of ring and " + channels + " channels make " + bytes);
            }
        }
    }
}

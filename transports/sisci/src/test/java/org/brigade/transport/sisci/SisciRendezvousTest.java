package org.brigade.transport.sisci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.brigade.memory.Region;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.brigade.transport.sisci.adapter.InboxDescriptor;
import org.brigade.transport.sisci.adapter.Sisci;
import org.brigade.transport.sisci.adapter.SisciSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long messages are written into the receiver's own memory by DMA, where that works, and by nothing else. */
@Tag("slow")
class SisciRendezvousTest {
    private static final int LONG = 2 << 20;
    private static final int EDGES = 2 * 4096;
    private static final long DEADLINE_NANOS = 120_000_000_000L;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final SplittableRandom random = new SplittableRandom(8);
    private PrintStream before;
    private SisciEnd[] ends;

    private void open(String mode, String fault, boolean checksum) {
        Emulated.begin(mode, fault);
        ends = SisciRanks.open(2,
            new SisciSettings(1 << 20, 4, 5_000_000_000L, 30_000_000_000L, 64 << 10, true, 256 << 10, checksum));
    }

    @BeforeEach
    void listen() {
        before = System.err;
        System.setErr(new PrintStream(said));
    }

    @AfterEach
    void close() {
        System.setErr(before);
        SisciRanks.close(ends);
    }

    private ByteBuffer random(int bytes) {
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        return ByteBuffer.allocateDirect(bytes).put(content).clear();
    }

    /** Sends all of a buffer into another, after a distance; returns how many of the bytes went through the ring. */
    private long move(ByteBuffer from, ByteBuffer to, int distance) {
        return move(from, to, distance, taken -> {});
    }

    /** What happens between two looks at a message. */
    private interface Meanwhile {
        void happen(int step);
    }

    private long move(ByteBuffer from, ByteBuffer to, int distance, Meanwhile meanwhile) {
        Link out = ends[0].link(1, Endpoint.COLLECTIVE);
        Link in = ends[1].link(0, Endpoint.COLLECTIVE);
        long ring = ringed();
        Region source = new Region().wrap(from, 0);
        Region target = new Region().wrap(to, 0);
        int bytes = from.capacity();
        long sent = 0;
        long taken = 0;
        long begin = System.nanoTime();
        for (int step = 0; taken < bytes || sent < bytes; step++) {
            assertTrue(System.nanoTime() - begin < DEADLINE_NANOS && ends[1].lost(0) == null,
                () -> "stuck; lost: " + ends[0].lost(1) + ", " + ends[1].lost(0));
            sent += sent < bytes ? Math.max(0, out.trySend(1, 7, source, 0, bytes, sent)) : 0;
            if (taken < bytes && in.poll()) {
                assertEquals(bytes, in.bytes());
                taken += in.tryRecv(target, distance + taken);
            }
            meanwhile.happen(step);
        }
        assertEquals(-1, from.mismatch(to.slice(distance, bytes)), "bytes differ from here on");
        return ringed() - ring;
    }

    /** All bytes that have come through the ring. */
    private long ringed() {
        return ends[1].connection(0).inbox()
            .word(InboxDescriptor.line(Endpoint.COLLECTIVE) + InboxDescriptor.TAIL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "weak=2", "aligned=4096,shifted", "timed"})
    void onlyTheEdgesGoThroughTheRing(String mode) {
        open(mode.isEmpty() ? null : mode, null, mode.equals("timed"));
        ByteBuffer to = random(LONG + 10_000);
        for (int bytes : new int[] {LONG, LONG - 1, 300_001, 262_144}) {
            for (int distance : new int[] {0, 1, 4096, 9999}) {
                ByteBuffer expected = random(to.capacity()).put(0, to, 0, to.capacity());
                ByteBuffer from = random(bytes);
                long ringed = move(from, to, distance);
                assertTrue(ringed <= EDGES + 3 * 4096, ringed + " of " + bytes + " bytes through the ring");
                expected.put(distance, from, 0, bytes);
                assertEquals(-1, expected.mismatch(to), "bytes around the message have changed");
            }
        }
        assertEquals("", said.toString());
    }

    @Test
    void ofArraysAllGoThroughTheRingAndTheReceiverIsAskedMoreAndMoreRarely() {
        open(null, null, false);
        for (int i = 0; i < 20; i++) {
            ByteBuffer from = random(LONG);
            assertTrue(move(from, ByteBuffer.allocate(LONG), 0) >= LONG);
        }
        assertEquals("", said.toString());
    }

    @Test
    void freedMemoryAndOtherViewsOfTheSameAreFoundOut() {
        open(null, null, false);
        for (int i = 0; i < 40; i++) {
            ByteBuffer memory = ByteBuffer.allocateDirect(3 * LONG / 2);
            move(random(LONG), memory.slice(8 * i, LONG), 0);
            assertTrue(move(random(LONG), memory.slice(4096 * i, LONG), 0) <= EDGES);
            if (i % 10 == 9) {
                System.gc();
            }
        }
        assertNull(ends[1].lost(0));
    }

    @Test
    void whereNothingArrivesItIsSaidOnceAndTheProcessorCopies() {
        open(null, null, false);
        assertTrue(Sisci.fault("iommu=broken"));
        ByteBuffer to = ByteBuffer.allocateDirect(LONG);
        for (int i = 0; i < 3; i++) {
            assertTrue(move(random(LONG), to, 0) >= LONG);
        }
        assertEquals(1, said.toString().lines().count(), said.toString());
        assertTrue(said.toString().contains("registered memory") && said.toString().contains("nothing has arrived"),
            said.toString());
    }

    @Test
    void anIommuThatBreaksLaterIsAnErrorThatNamesTheCureAndWithChecksumsNone() {
        open(null, null, false);
        ByteBuffer to = ByteBuffer.allocateDirect(LONG);
        move(random(LONG), to, 0);
        assertTrue(Sisci.fault("iommu=broken"));
        AssertionError lost = null;
        try {
            move(random(LONG), to, 0);
        } catch (AssertionError e) {
            lost = e;
        }
        assertTrue(lost != null && lost.getMessage().contains("nothing has arrived")
            && lost.getMessage().contains("brigade.sisci.rendezvous=0"), "" + lost);
        SisciRanks.close(ends);
        open(null, null, true);
        move(random(LONG), to, 0);
        assertTrue(Sisci.fault("iommu=broken"));
        assertTrue(move(random(LONG), to, 0) >= LONG);
    }

    @Test
    void aReceiverThatHasFailedIsNotWrittenTo() {
        open("weak=3", null, false);
        ByteBuffer to = ByteBuffer.allocateDirect(LONG);
        move(random(LONG), to, 0);
        Link out = ends[0].link(1, Endpoint.COLLECTIVE);
        Link in = ends[1].link(0, Endpoint.COLLECTIVE);
        for (int steps = 0; steps < 12; steps++) {
            Region source = new Region().wrap(random(LONG), 0);
            Region target = new Region().wrap(to, 0);
            long sent = Math.max(0, out.trySend(1, 7, source, 0, LONG, 0));
            for (int i = 0; i < 2 || !in.isTaken(); i++) {
                if (in.poll()) {
                    assertEquals(0, in.tryRecv(target, 0));
                }
            }
            for (int i = 0; i < steps && sent < LONG; i++) {
                sent += Math.max(0, out.trySend(1, 7, source, 0, LONG, sent));
            }
            in.abandon();
            ByteBuffer now = ByteBuffer.allocateDirect(LONG).put(0, to, 0, LONG);
            long gone = 0;
            long begin = System.nanoTime();
            while (sent < LONG || gone < LONG) {
                assertTrue(System.nanoTime() - begin < DEADLINE_NANOS, "stuck at " + sent + " and " + gone);
                sent += sent < LONG ? Math.max(0, out.trySend(1, 7, source, 0, LONG, sent)) : 0;
                gone += gone < LONG && in.poll() ? in.tryDiscard(Long.MAX_VALUE) : 0;
            }
            assertEquals(-1, now.mismatch(to), "written after it was abandoned");
        }
        for (int i = 0; i < 70; i++) {
            move(random(300_000), to, 0);
        }
        assertTrue(move(random(LONG), to, 0) <= EDGES, "never asked again");
    }

    @Test
    void aLinkThatGoesDownWhileDmaRunsLosesNothing() {
        open(null, null, false);
        ByteBuffer to = ByteBuffer.allocateDirect(LONG);
        for (int at : new int[] {0, 1, 2, 4, 9, 30}) {
            move(random(LONG), to, 0, step -> {
                if (step == at) {
                    assertTrue(Sisci.fault("link=down"));
                } else if (step == at + 50) {
                    assertTrue(Sisci.fault("link=up"));
                }
            });
        }
    }
}

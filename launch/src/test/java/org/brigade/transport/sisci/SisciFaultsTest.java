package org.brigade.transport.sisci;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.NativeLibrary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.Endpoint;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;
import org.brigade.transport.sisci.adapter.Adapter;
import org.brigade.transport.sisci.adapter.Inbox;
import org.brigade.transport.sisci.adapter.InboxDescriptor;
import org.brigade.transport.sisci.adapter.Sisci;
import org.brigade.transport.sisci.adapter.SisciSettings;
import org.brigade.transport.sisci.adapter.SoftwareSisci;
import org.brigade.transport.sisci.adapter.Teardown;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the transport makes of an adapter's troubles, and of peers that write what cannot be. */
@Tag("slow")
@Tag("once") // on the other JDK SisciLinkTest and SisciDeviceTest call the same library
class SisciFaultsTest {
    private static final int RING = 1 << 20;
    private static final SisciSettings IMPATIENT =
        new SisciSettings(RING, 4, 300_000_000L, 5_000_000_000L, 64 << 10, false);
    private static final SisciSettings PATIENT =
        new SisciSettings(RING, 4, 20_000_000_000L, 5_000_000_000L, 64 << 10, false);
    /** Bytes of garbage that are taken at once, and of what lies behind their place. */
    private static final int MOST = 1 << 20;
    private static final int GUARD = 64 << 10;
    private static final long DEADLINE_NANOS = 120_000_000_000L;

    /** Rank 0, and its peer on another node. */
    private SisciEnd end;
    private EchoPeer peer;

    private void open(String mode, String fault, SisciSettings settings) throws IOException {
        Emulated.begin(mode, fault);
        peer = EchoPeer.start(mode, fault, RING);
        end = peer.connect(settings);
    }

    @AfterEach
    void close() {
        if (peer != null) {
            peer.process.destroyForcibly();
            peer = null;
        }
        if (end != null) {
            end.close();
            end = null;
        }
    }

    @Test
    void aBrokenIommuIsFoundSaidOnceAndGoneRound() throws IOException {
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said));
        try {
            open(null, "iommu=broken", PATIENT);
        } finally {
            System.setErr(before);
        }
        String sentence = said.toString();
        assertTrue(sentence.contains("registered memory did not arrive at node 8"), sentence);
        assertEquals(1, sentence.lines().count(), sentence);
        for (int bytes : new int[] {0, 100, 10_000, 100_000, 3_000_001}) {
            echo(bytes, step -> {});
        }
    }

    @Test
    void aLinkThatComesUpAgainLosesNothing() throws IOException {
        for (String mode : new String[] {null, "weak=3"}) {
            open(mode, null, PATIENT);
            for (int bytes : new int[] {40, 5000, 100_000, 8_000_000}) {
                for (int at : new int[] {0, 1, 3, 50}) {
                    echo(bytes, step -> {
                        if (step == at) {
                            assertTrue(Sisci.fault("link=down@8"));
                        } else if (step == at + 200) {
                            Teardown.nap(5_000_000);
                            assertTrue(Sisci.fault("link=up@8"));
                        }
                    });
                    assertTrue(Sisci.fault("link=up@8"));
                }
            }
            close();
        }
    }

    @Test
    void checksThatSayStoresAreLostCostNothingButTime() throws IOException {
        open("weak=9", "sequence=retriable@3,sequence=pending@7", PATIENT);
        for (int bytes : new int[] {40, 5000, 100_000, 3_000_000, 16}) {
            echo(bytes, step -> {});
        }
    }

    @Test
    void aLinkThatStaysDownIsALostPeerNamedWithNodeSegmentAndCode() throws IOException {
        for (int bytes : new int[] {40, 100_000, 4_000_000}) {
            open(null, null, IMPATIENT);
            assertTrue(Sisci.fault("link=down@8"));
            sendUntilLost(bytes);
            String lost = end.lost(1);
            assertTrue(lost.contains("rank 1 ") && lost.contains("segment 0x") && lost.contains("of node 8")
                && lost.contains("SCI_ERR_"), lost);
            close();
        }
    }

    @Test
    void aPeerThatIsKilledIsLostSoonThoughNothingIsSent() throws IOException {
        open(null, null, PATIENT);
        peer.process.destroyForcibly();
        await(() -> end.lost(1) != null, "the peer was never lost");
        assertTrue(end.lost(1).contains("SCI_ERR_SEGMENT_NOT_CONNECTED"), end.lost(1));
    }

    @Test
    void aNodeThatIsGoneIsLost() throws IOException {
        open(null, null, PATIENT);
        assertTrue(Sisci.fault("peer=lost@8"));
        sendUntilLost(40);
        assertTrue(end.lost(1).contains("SCI_ERR_SEGMENT_NOT_CONNECTED"), end.lost(1));
    }

    @Test
    void whatCameBeforeAPeerWentCanStillBeTaken() throws IOException {
        open(null, null, PATIENT);
        Link link = end.link(1, Endpoint.COLLECTIVE);
        await(() -> link.trySendWords(1, 2, 3, 4), "two words were never accepted");
        Teardown.nap(200_000_000);
        peer.process.destroyForcibly();
        await(() -> end.lost(1) != null, "the peer was never lost");
        assertTrue(link.poll());
        assertEquals(4, link.word(1));
        assertEquals(16, link.tryDiscard(16));
        assertFalse(link.poll());
    }

    /** Sends until the link says no for good. */
    private void sendUntilLost(int bytes) {
        Link out = end.link(1, Endpoint.COLLECTIVE);
        Region source = new Region().wrap(new byte[bytes], 0);
        long[] sent = {0};
        await(() -> {
            long now = out.trySend(1, 1, source, 0, bytes, sent[0]);
            sent[0] = sent[0] + Math.max(0, now) == bytes ? 0 : sent[0] + Math.max(0, now);
            return end.lost(1) != null;
        }, "the peer was never lost");
        assertEquals(Link.REFUSED, out.trySend(1, 1, source, 0, bytes, sent[0]));
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "TERM", "exit"})
    void aPeerThatEndsLeavesNothingInTheAdaptersTables(String how) throws Exception {
        open("timed", null, PATIENT);
        assertTrue(held(EchoPeer.NODE) >= 3, "a peer has a segment, a connection and an interrupt");
        if (how.equals("exit")) {
            peer.process.getOutputStream().close();
        } else {
            assertEquals(0, new ProcessBuilder("kill", "-" + how, "" + peer.process.pid()).start().waitFor());
        }
        peer.process.waitFor();
        await(() -> held(EchoPeer.NODE) == 0, "the dead peer still holds something");
        await(() -> end.lost(1) != null, "the peer was never lost");
        close();
        assertEquals(0, held(4), "this process holds something");
    }

    private static int held(int node) {
        try {
            return NativeLibrary.getInstance(SoftwareSisci.library().toString()).getFunction("brigade_sisci_held")
                .invokeInt(new Object[] {node});
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** In mode weak, what is not flushed arrives some time later. */
    @Test
    void whatIsAcceptedHasLeftTheProcessor() {
        Emulated.begin("weak=4", null);
        SisciEnd[] ends = SisciRanks.open(2, InboxDescriptor.SMALLEST_RING);
        try {
            Link out = ends[0].link(1, Endpoint.COLLECTIVE);
            Link in = ends[1].link(0, Endpoint.COLLECTIVE);
            for (int i = 0; i < 200; i++) {
                assertTrue(out.trySendWords(1, i, i, i));
                assertTrue(in.poll(), "message " + i + " was accepted and stayed in the processor's buffers");
                assertEquals(16, in.tryDiscard(16));
            }
        } finally {
            SisciRanks.close(ends);
        }
    }

    @Test
    void theInventorySaysHowDmaGoes() {
        Emulated.begin(null, "iommu=broken");
        String lines = String.join("\n", SisciInventory.lines());
        assertTrue(
            lines.contains("registered memory does not arrive") && lines.contains("sends from user memory instead"),
            lines);
        Emulated.begin(null, "iommu=broken,address=broken");
        lines = String.join("\n", SisciInventory.lines());
        assertTrue(lines.contains("copies by the processor"), lines);
        Emulated.begin(null, null);
        lines = String.join("\n", SisciInventory.lines());
        assertTrue(lines.contains("DMA from registered memory works") && lines.contains("MiB of segments"), lines);
    }

    // ---- garbage ----

    /** A peer whose first word is impossible, or whose segment is not what it says. */
    @ParameterizedTest
    @CsvSource({"0, announced an inbox with rings of 0 bytes", "-262144, rings of -262144 bytes",
        "3000000, rings of 3000000 bytes", "2147483647, rings of 2147483647 bytes",
        "1048576, its segment is shorter"})
    void anImpossibleHandshakeIsRefusedAtOnce(int ring, String why) {
        Emulated.begin(null, null);
        Adapter adapter = Adapter.open(PATIENT);
        SisciEnd one = SisciEnd.listen(adapter, 0, 99);
        Inbox inbox = Inbox.make(adapter, InboxDescriptor.SMALLEST_RING);
        try {
            ByteBuffer rogue = ByteBuffer.allocate(20).putInt(adapter.node).putInt(0).putInt(0).putLong(Sisci.place());
            one.begin(new byte[][] {one.address(), rogue.array()});
            ByteBuffer mine = ByteBuffer.wrap(one.address());
            long device = Sisci.open();
            long interrupt = Sisci.connectInterrupt(device, mine.getInt(), adapter.number, mine.getInt());
            Sisci.trigger(interrupt, new Hello(1, 0, adapter.node, inbox.id, ring, 99).encode());
            Sisci.disconnectInterrupt(interrupt);
            Sisci.close(device);
            long begin = System.nanoTime();
            while (one.lost(1) == null && System.nanoTime() - begin < DEADLINE_NANOS) {
                Teardown.nap(1_000_000);
            }
            String lost = one.lost(1);
            assertTrue(
                lost != null && lost.contains("rank 1 ") && lost.contains(why)
                    && lost.contains("segment 0x" + Integer.toHexString(inbox.id) + " of node 4")
                    && lost.contains("SCI_ERR_OUT_OF_RANGE"),
                lost);
        } finally {
            one.close();
            inbox.withdraw();
            inbox.remove(System.nanoTime());
        }
    }

    @Test
    void garbageInAnInboxIsRefusedAndNothingElseIsTouched() {
        Emulated.begin(null, null);
        SplittableRandom random = new SplittableRandom(5);
        int refused = 0;
        for (int round = 0; round < 60; round++) {
            SisciEnd[] ends = SisciRanks.open(2,
                new SisciSettings(InboxDescriptor.SMALLEST_RING, 1, 300_000_000L, 5_000_000_000L, 0, true));
            int lane = random.nextInt(FabricEnd.LANES);
            scribble(ends[0].connection(1).outbox().memory, random, lane);
            Link in = ends[1].link(0, lane);
            byte[] guarded = new byte[MOST + GUARD];
            Arrays.fill(guarded, MOST, guarded.length, (byte) 0x5a);
            Region target = new Region().wrap(guarded, 0);
            for (int i = 0; i < 20_000 && ends[1].lost(0) == null; i++) {
                if (in.poll()) {
                    if (in.remaining() > MOST) {
                        in.tryDiscard(1 << 16);
                    } else {
                        in.tryRecv(target, 0);
                    }
                }
                if (lane != FabricEnd.CONTROL) {
                    in.trySendWords(1, 1, 1, 1);
                }
            }
            String lost = ends[1].lost(0);
            assertTrue(
                lost == null
                    || lost.contains("rank 0 ") && lost.contains("segment 0x") && lost.contains("SCI_ERR_OUT_OF_RANGE"),
                lost);
            refused += lost == null ? 0 : 1;
            for (int i = MOST; i < guarded.length; i++) {
                assertEquals(0x5a, guarded[i], () -> "a message that said it fits was written beyond: " + lost);
            }
            SisciRanks.close(ends);
        }
        assertTrue(refused > 30, "only " + refused + " of 60 were refused");
    }

    /** Writes into rank 1's inbox of rank 0: words with the right laps and any data, counters of any value. */
    private static void scribble(NativeMemory there, SplittableRandom random, int lane) {
        int line = InboxDescriptor.line(lane);
        switch (random.nextInt(4)) {
            case 0 -> there.putLong(line + InboxDescriptor.TAIL, random.nextLong());
            case 1 -> there.putLong(line + InboxDescriptor.WORDS_FREED, random.nextLong());
            case 2 -> there.putLong(line + InboxDescriptor.BYTES_FREED, random.nextLong());
            default -> {
            }
        }
        for (int i = 0; i < 64; i++) {
            int data = i == 0 && random.nextBoolean() ? InboxDescriptor.head(1, InboxDescriptor.RINGED)
                : random.nextInt() >>> random.nextInt(32);
            there.putLong(InboxDescriptor.words(lane) + 8 * i, InboxDescriptor.word(data, 1));
        }
    }

    // ---- running ----

    private interface Steps {
        void at(int step);
    }

    /** Has a message sent back, and compares; between steps something happens. */
    private void echo(int bytes, Steps steps) {
        Link link = end.link(1, Endpoint.POINT_TO_POINT);
        byte[] sending = new byte[bytes];
        new SplittableRandom(bytes).nextBytes(sending);
        byte[] receiving = new byte[bytes];
        Region source = new Region().wrap(sending, 0);
        Region target = new Region().wrap(receiving, 0);
        long[] at = {-1, 0};
        int[] step = {0};
        await(() -> {
            steps.at(step[0]++);
            if (at[0] < bytes) {
                long now = link.trySend(5, bytes, source, 0, bytes, Math.max(0, at[0]));
                at[0] = now < 0 ? at[0] : Math.max(0, at[0]) + now;
            }
            if (!link.poll()) {
                return false;
            }
            assertEquals(bytes, link.key());
            at[1] += link.tryRecv(target, at[1]);
            return at[1] == bytes;
        }, bytes + " bytes did not come back");
        assertArrayEquals(sending, receiving, bytes + " bytes");
    }

    private interface Condition {
        boolean holds();
    }

    private void await(Condition condition, String otherwise) {
        long begin = System.nanoTime();
        while (!condition.holds()) {
            assertTrue(System.nanoTime() - begin < DEADLINE_NANOS, () -> otherwise + "; lost: " + end.lost(1));
        }
    }
}

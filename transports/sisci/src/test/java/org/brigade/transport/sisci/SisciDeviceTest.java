package org.brigade.transport.sisci;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.SplittableRandom;
import org.brigade.device.Devices;
import org.brigade.memory.Region;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.brigade.transport.shm.SlowDevices;
import org.brigade.transport.sisci.PlainGpu.Memory;
import org.brigade.transport.sisci.adapter.AttachedMemory;
import org.brigade.transport.sisci.adapter.SisciSettings;
import org.brigade.transport.sisci.adapter.Teardown;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** DMA reads and writes device memory where that is seen to work, and nowhere else. */
@Tag("slow")
class SisciDeviceTest {
    private static final int LONG = 3 << 20;
    private static final long DEADLINE_NANOS = 120_000_000_000L;

    private final PlainGpu gpu = new PlainGpu();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final SplittableRandom random = new SplittableRandom(3);
    private PrintStream before;
    private SisciEnd[] ends;

    private void open(String mode, String fault) {
        open(mode, fault, gpu);
    }

    private void open(String mode, String fault, Devices devices) {
        Emulated.begin(mode, fault);
        ends =
            SisciRanks.open(2, new SisciSettings(1 << 20, 4, 10_000_000_000L, 30_000_000_000L, 64 << 10, true),
                devices);
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

    private void fill(Memory memory) {
        for (int i = 0; i < memory.bytes; i++) {
            memory.content.put(i, (byte) random.nextInt());
        }
    }

    /** Sends bytes of one device's memory from rank 0 into another's on rank 1, and compares all of the latter. */
    private void move(Memory from, int at, Memory to, int toAt, int bytes) {
        Link out = ends[0].link(1, Endpoint.COLLECTIVE);
        Link in = ends[1].link(0, Endpoint.COLLECTIVE);
        Region source = new Region().wrap(from, 0);
        Region target = new Region().wrap(to, 0);
        byte[] expected = new byte[(int) to.bytes];
        to.content.get(0, expected);
        from.content.get(at, expected, toAt, bytes);
        long sent = 0;
        long taken = 0;
        long begin = System.nanoTime();
        while (taken < bytes || sent < bytes) {
            assertTrue(System.nanoTime() - begin < DEADLINE_NANOS,
                () -> "stuck; lost: " + ends[0].lost(1) + ", " + ends[1].lost(0));
            if (sent < bytes) {
                sent += Math.max(0, out.trySend(1, 7, source, at, bytes, sent));
            }
            if (taken < bytes && in.poll()) {
                assertEquals(bytes, in.bytes());
                taken += in.tryRecv(target, toAt + taken);
            }
        }
        assertEquals(bytes, sent);
        for (int i = 0; i < expected.length; i++) {
            int where = i - toAt;
            assertEquals(expected[i], to.content.get(i), () -> "byte " + where + " of " + bytes);
        }
    }

    /** The first message may be staged, as the peer's answer takes a while. */
    private void settle(Memory from, Memory to) {
        for (int i = 0; i < 5; i++) {
            move(from, 0, to, 0, LONG);
            Teardown.nap(2_000_000);
        }
        gpu.reads = 0;
        gpu.writes = 0;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "weak=2", "aligned=4096", "shifted"})
    void whereItArrivesNoHostCopiesIt(String mode) {
        open(mode.isEmpty() ? null : mode, null);
        Memory from = gpu.allocate(LONG)[0];
        Memory to = gpu.allocate(LONG)[0];
        fill(from);
        settle(from, to);
        move(from, 0, to, 0, LONG);
        move(from, 8192, to, 4096, LONG - 16384);
        assertEquals(0, gpu.reads);
        assertEquals(0, gpu.writes, "by the receiver");
        move(from, 8192, to, 100, LONG - 16384);
        gpu.reads = 0;
        move(from, 4096, to, 1, 100_001);
        assertEquals(1, gpu.reads, "the rest that is no multiple of what DMA takes");
        assertEquals("", said.toString());
    }

    @Test
    void atAnOddPlaceItIsStaged() {
        open(null, null);
        Memory from = gpu.allocate(LONG)[0];
        Memory to = gpu.allocate(LONG)[0];
        fill(from);
        settle(from, to);
        for (int bytes : new int[] {1, 8192, 8193, 32_768, 100_000, LONG - 64}) {
            move(from, 3, to, 5, bytes);
        }
        assertTrue(gpu.reads > 6, gpu.reads + " copies");
        assertEquals("", said.toString());
    }

    @ParameterizedTest
    @CsvSource({"attach=refused, SCI_ERR_HW_NOSPC", "attach=silent, something else arrives",
        "iommu=broken, SCI_ERR_ILLEGAL_ADDRESS"})
    void whereItDoesNotItIsSaidOnceAndGoneRound(String fault, String why) {
        open(null, fault);
        Memory from = gpu.allocate(LONG)[0];
        Memory to = gpu.allocate(LONG)[0];
        fill(from);
        settle(from, to);
        move(from, 0, to, 0, LONG);
        assertTrue(gpu.reads > 5 && gpu.writes > 5, gpu.reads + " and " + gpu.writes + " copies");
        String sentences =
            said.toString().lines().filter(line -> line.contains("cannot send device memory")).reduce("",
                (a, b) -> a + b + "\n");
        assertEquals(1, sentences.lines().count(), said.toString());
        assertTrue(sentences.contains(why) && sentences.contains("by way of page-locked host memory"), sentences);
    }

    @Test
    void allocationsThatShareAPageTakeTurns() {
        open(null, null);
        int each = (int) AttachedMemory.PAGE * 3 / 2;
        Memory[] from = gpu.allocate(each, each, each);
        Memory to = gpu.allocate(LONG)[0];
        Memory first = gpu.allocate(LONG)[0];
        settle(first, to);
        for (int i = 0; i < 9; i++) {
            fill(from[i % 3]);
            move(from[i % 3], 0, to, 64, each);
        }
        assertEquals(0, gpu.reads);
        assertEquals("", said.toString());
    }

    @Test
    void moreAllocationsThanAreEverAttachedAtOnce() {
        open(null, null);
        Memory to = gpu.allocate(LONG)[0];
        settle(gpu.allocate(LONG)[0], to);
        for (int i = 0; i < 150; i++) {
            Memory from = gpu.allocate(1 << 17)[0];
            fill(from);
            move(from, 0, to, 0, 1 << 17);
        }
        assertEquals(0, gpu.reads);
    }

    /** Copies of a device that takes its time, or fails; the message then goes on from the host's memory. */
    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE, 0, 3, 7, -1})
    void copiesRunWhileOthersCross(int failAfter) {
        SlowDevices slow = new SlowDevices(SlowDevices.Reach.NOT_MAPPED, 0);
        open(null, null, slow);
        Link out = ends[0].link(1, Endpoint.COLLECTIVE);
        Link in = ends[1].link(0, Endpoint.COLLECTIVE);
        for (int bytes : new int[] {40_000, 100_001, LONG, 5 * LONG + 7}) {
            byte[] content = new byte[bytes];
            random.nextBytes(content);
            SlowDevices.Memory from = SlowDevices.Memory.allocate(bytes);
            from.content.put(0, content);
            SlowDevices.Memory to = SlowDevices.Memory.allocate(bytes);
            Region source = new Region().wrap(from, 0);
            Region target = new Region().wrap(to, 0);
            Region lost = new Region().wrap(new byte[bytes], 0);
            long sent = 0;
            long taken = 0;
            long begin = System.nanoTime();
            slow.failAfter = failAfter > 0 && failAfter < LONG
                ? slow.reads.get() + slow.writes.get() + failAfter : failAfter;
            while (taken < bytes) {
                assertTrue(System.nanoTime() - begin < DEADLINE_NANOS, "stuck at " + sent + " and " + taken);
                try {
                    sent += sent < bytes ? Math.max(0, out.trySend(1, 7, source, 0, bytes, sent)) : 0;
                } catch (IllegalStateException failed) {
                    source.wrap(content, 0);
                }
                try {
                    taken += in.poll() ? in.tryRecv(target, taken) : 0;
                } catch (IllegalStateException failed) {
                    target = lost;
                }
            }
            byte[] all = new byte[bytes];
            to.content.get(0, all);
            if (target != lost) {
                assertArrayEquals(content, all);
            }
        }
        assertTrue(slow.reads.get() > 0 && slow.writes.get() > 0 || failAfter <= 0);
    }
}

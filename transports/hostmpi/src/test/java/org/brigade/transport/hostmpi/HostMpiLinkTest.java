package org.brigade.transport.hostmpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.NativeLibrary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import net.jqwik.api.lifecycle.AfterTry;
import org.brigade.device.Devices;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.transport.Endpoint;
import org.brigade.transport.JoinedEndpoint;
import org.brigade.transport.Link;
import org.brigade.transport.LinkContract;
import org.brigade.transport.hostmpi.library.HostMpi;
import org.brigade.transport.loopback.LoopbackJob;
import org.brigade.transport.packet.PacketEnd;
import org.brigade.transport.staging.ChunkPool;
import org.brigade.transport.FabricEnd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What every link must do, over an MPI that this process is alone in: all ranks are ends here, and their messages go
 * through the library's queues to itself.
 */
class HostMpiLinkTest extends LinkContract {
    private static final String[] LIBRARIES = {"libmpich.so.12", "libmpi.so.12", "libmpi.so.40"};
    /** Short, so that credit runs out soon. */
    private static final int WINDOW = 128 << 10;

    private static final int DEAD = 2_000_000;

    private final List<PacketEnd> opened = new ArrayList<>();

    private static synchronized long alone() {
        if (!HostMpi.isLoaded()) {
            String wish = System.getenv(HostMpiLibrary.VARIABLE);
            String[] libraries = wish == null ? LIBRARIES : new String[] {wish};
            for (int i = 0; i < libraries.length && !HostMpi.isLoaded(); i++) {
                try {
                    HostMpi.load(libraries[i]);
                } catch (UnsatisfiedLinkError notThere) {
                    // the next one
                }
            }
            assumeTrue(HostMpi.isLoaded(), "no MPI is installed");
        }
        if (!HostMpi.isInitialized()) { // a test before this may have loaded one to say what it is
            initialize();
        }
        long communicator = HostMpi.duplicate(HostMpi.world());
        HostMpi.returnErrors(communicator);
        return communicator;
    }

    /**
     * An MPI puts variables into the environment, by which an mpirun that another test starts would take itself for a
     * part of this job.
     */
    private static void initialize() {
        Set<String> known = System.getenv().keySet();
        HostMpi.initialize();
        NativeLibrary libc = NativeLibrary.getInstance("c");
        for (String each : libc.getGlobalVariableAddress("environ").getPointer(0).getStringArray(0)) {
            String name = each.substring(0, Math.max(0, each.indexOf('=')));
            if (!known.contains(name)
                && (name.startsWith("OMPI_") || name.startsWith("PMIX_") || name.startsWith("PMI_"))) {
                libc.getFunction("unsetenv").invokeInt(new Object[] {name});
            }
        }
    }

    @Override
    protected Endpoint[] open(int ranks) {
        return open(ranks, 0);
    }

    private Endpoint[] open(int ranks, long patienceNanos) {
        return open(ranks, patienceNanos, null);
    }

    /** @param devices whose memory the MPI reads and writes itself; null: it does no device's */
    private Endpoint[] open(int ranks, long patienceNanos, Devices devices) {
        Endpoint[] lives = LoopbackJob.endpoints(ranks);
        synchronized (HostMpiCarrier.LOCK) {
            // Messages that nobody took would meet those of the next test in one communicator.
            long communicator = alone();
            Endpoint[] ends = new Endpoint[ranks];
            for (int rank = 0; rank < ranks; rank++) {
                PacketEnd end = new PacketEnd(rank, ranks, new HostMpiCarrier(ranks, communicator), WINDOW,
                    patienceNanos, devices != null, true, new ChunkPool(devices));
                opened.add(end);
                ends[rank] = new JoinedEndpoint(lives[rank], end);
            }
            return ends;
        }
    }

    @AfterEach
    @AfterTry
    void close() {
        for (PacketEnd end : opened) {
            end.close();
        }
        opened.clear();
    }

    @Test
    void aRankIsConnectedWithThoseThatItHasSentToOrHeardFrom() {
        Endpoint[] ends = open(3);
        PacketEnd first = opened.get(0);
        PacketEnd second = opened.get(1);
        assertFalse(first.isConnected(1));
        assertTrue(ends[0].link(1, Endpoint.COLLECTIVE).trySendWords(1, 1, 1, 2));
        assertTrue(first.isConnected(1));
        while (!ends[1].link(0, Endpoint.COLLECTIVE).poll()) {
            Thread.onSpinWait();
        }
        assertTrue(second.isConnected(0));
        assertFalse(first.isConnected(2));
        assertNull(first.lost(1));
    }

    /** Those that wait are kept in packets that cannot receive: these must not be started where receivers are. */
    @Test
    void noticesThatQueueUpTakeNoReceiverAway() {
        open(3);
        Link to = opened.get(0).link(1, FabricEnd.CONTROL);
        Link from = opened.get(1).link(0, FabricEnd.CONTROL);
        Link another = opened.get(1).link(2, FabricEnd.CONTROL);
        for (int round = 0; round < 100; round++) {
            for (int i = 0; i < 3; i++) {
                while (!to.trySendWords(1, round, i, i)) {
                    assertNull(opened.get(0).lost(1));
                }
            }
            for (int look = 0; look < 1000; look++) {
                another.poll(); // takes in what has come, from whomever
            }
            for (int i = 0; i < 3; i++) {
                while (!from.poll()) {
                    assertNull(opened.get(1).lost(0));
                }
                assertEquals(i, from.word(0));
                from.tryDiscard(Long.MAX_VALUE);
            }
        }
    }

    @Test
    void anEndKnowsThoseThatItHasMetInTheOrderInWhichItMetThem() {
        Endpoint[] ends = open(70);
        PacketEnd first = opened.get(0);
        assertEquals(0, first.met());
        for (int peer : new int[] {7, 69, 7, 64}) {
            assertTrue(ends[0].link(peer, Endpoint.COLLECTIVE).trySendWords(1, 1, 1, 2));
            assertTrue(ends[peer].link(0, Endpoint.POINT_TO_POINT).trySendWords(1, 1, 1, 2));
        }
        assertTrue(ends[3].link(0, Endpoint.POINT_TO_POINT).trySendWords(1, 1, 1, 2));
        while (first.met() < 4) {
            Thread.onSpinWait(); // rank 0 has asked for no link to rank 3
        }
        assertEquals(List.of(7, 69, 64, 3), List.of(first.met(0), first.met(1), first.met(2), first.met(3)));
        assertTrue(ends[0].link(3, Endpoint.POINT_TO_POINT).poll());
        assertEquals(0, opened.get(50).met());
    }

    /** Its own tender would answer, so the peer here is a rank that has closed. */
    @Tag("once")
    @Test
    void aPeerThatGivesNoSignOfLifeIsLostInTheEndAndOneThatDoesIsNot() throws InterruptedException {
        Endpoint[] ends = open(3, 4_000_000_000L); // on a busy machine a tender may not run for a second
        PacketEnd first = opened.get(0);
        for (int peer = 1; peer < 3; peer++) {
            assertTrue(ends[0].link(peer, Endpoint.COLLECTIVE).trySendWords(1, 1, 1, 2));
        }
        opened.get(2).close();
        String lost = null;
        for (int i = 0; i < 1600 && lost == null; i++) {
            Thread.sleep(25);
            assertNull(first.lost(1), "rank 1 computes, and its tender answers");
            lost = first.lost(2);
        }
        assertNotNull(lost, "rank 2 has been silent for 40 s");
        assertTrue(lost.contains("rank 2 has given no sign of life for 4 s"), lost);
        assertEquals(Link.REFUSED,
            ends[0].link(2, Endpoint.COLLECTIVE).trySend(1, 1, new Region().wrap(new byte[8], 0), 0, 8, 0));
    }

    // ---- device memory that the MPI reads and writes itself ----

    /** The first three are shorter than what goes without Brigade's help, and one of them takes two packets. */
    private static final int SHORT_LENGTHS = 3;
    private static final int[] LENGTHS =
        {1, 1000, (64 << 10) - 1, 64 << 10, 100_003, 512 << 10, (512 << 10) + 1, (3 << 20) + 5};

    /** Sends a message of kind 9 and takes it, both at once. */
    private static void move(Link out, Link in, Region source, int at, int bytes, LongUnaryOperator taking) {
        long sent = 0;
        long taken = 0;
        for (int idle = 0; sent < bytes || taken < bytes; idle++) {
            assertTrue(idle < DEAD, "stuck at " + sent + " sent and " + taken + " taken of " + bytes);
            if (sent < bytes) {
                sent += Math.max(0, out.trySend(9, 42, source, at, bytes, sent));
            }
            if (taken < bytes && in.poll()) {
                assertEquals(9, in.kind());
                assertEquals(42, in.key());
                assertEquals(bytes, in.bytes());
                assertEquals(bytes - taken, in.remaining());
                taken += taking.applyAsLong(taken);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true"})
    void deviceMemoryArrivesWholeInAnyMemory(boolean fromDevice, boolean toDevice) {
        VisibleDevices devices = new VisibleDevices();
        Endpoint[] ends = open(2, 0, devices);
        Link out = ends[0].link(1, Endpoint.POINT_TO_POINT);
        Link in = ends[1].link(0, Endpoint.POINT_TO_POINT);
        for (int bytes : LENGTHS) {
            int at = bytes % 5 * 3;
            byte[] content = new byte[at + bytes + 7];
            new SplittableRandom(bytes).nextBytes(content);
            byte[] expected = new byte[content.length];
            System.arraycopy(content, at, expected, at, bytes);
            Object from = fromDevice ? devices.of(content) : content;
            Object to = toDevice ? devices.of(new byte[content.length]) : new byte[content.length];
            Region target = new Region().wrap(to, 0);
            move(out, in, new Region().wrap(from, 0), at, bytes, taken -> in.tryRecv(target, at + taken));
            assertArrayEquals(expected, to instanceof VisibleDevices.Memory memory ? memory.bytes() : (byte[]) to,
                () -> bytes + " bytes");
        }
        devices.assertNoneEntered();
        assertEquals(fromDevice, devices.reads > 0 && devices.reads <= SHORT_LENGTHS + 1,
            "copies that Brigade made out of device memory");
        assertEquals(fromDevice && toDevice, devices.writes > 0 && devices.writes <= SHORT_LENGTHS + 1,
            "of a message from device to device, Brigade copies no piece");
        assertEquals(fromDevice, devices.entries > 0, "calls of the MPI with the device's context");
    }

    @Test
    void deviceMemoryIsReducedAndForgotten() {
        VisibleDevices devices = new VisibleDevices();
        Endpoint[] ends = open(2, 0, devices);
        Link out = ends[0].link(1, Endpoint.COLLECTIVE);
        Link in = ends[1].link(0, Endpoint.COLLECTIVE);
        int bytes = (2 << 20) + 20;
        byte[] content = new byte[bytes];
        new SplittableRandom(3).nextBytes(content);
        Region source = new Region().wrap(devices.of(content), 0);
        byte[] sums = new byte[bytes];
        Region target = new Region().wrap(sums, 0);
        Combiner xor = new Combiner() {
            @Override
            public int itemBytes() {
                return 1;
            }

            @Override
            public void combine(NativeMemory incoming, int at, int length, Region operand, long operandAt, Region into,
                long intoAt) {
                for (int i = 0; i < length; i++) {
                    sums[(int) intoAt + i] ^= incoming.bytes.get(at + i);
                }
            }
        };
        move(out, in, source, 0, bytes, taken -> in.tryRecvReduce(xor, target, taken, target, taken));
        assertArrayEquals(content, sums);
        move(out, in, source, 0, bytes, taken -> in.tryDiscard(100_000));
        VisibleDevices.Memory there = devices.of(new byte[bytes]);
        Region device = new Region().wrap(there, 0);
        move(out, in, source, 0, bytes,
            taken -> taken < 1 << 20 ? in.tryRecv(device, taken) : in.tryDiscard(Long.MAX_VALUE));
        move(out, in, source, 0, bytes, taken -> taken < 1000 ? in.tryDiscard(1000) : in.tryRecv(device, taken));
        byte[] expected = content.clone();
        assertArrayEquals(Arrays.copyOfRange(expected, 1 << 20, bytes),
            Arrays.copyOfRange(there.bytes(), 1 << 20, bytes));
        devices.assertNoneEntered();
    }

    /** As a collective does that has failed here. */
    @Test
    void aMessageOutOfDeviceMemoryMayGoOnFromTheHosts() {
        VisibleDevices devices = new VisibleDevices();
        Endpoint[] ends = open(2, 0, devices);
        Link out = ends[0].link(1, Endpoint.COLLECTIVE);
        Link in = ends[1].link(0, Endpoint.COLLECTIVE);
        int bytes = (4 << 20) + 3;
        byte[] content = new byte[bytes];
        new SplittableRandom(4).nextBytes(content);
        assertEquals(16, out.trySend(9, 42, new Region().wrap(devices.of(content), 0), 0, bytes, 0));
        assertEquals(Link.REFUSED, out.trySend(1, 2, new Region().wrap(new byte[8], 0), 0, 8, 0));
        assertFalse(out.trySendWords(1, 3, 4, 5));
        byte[] to = new byte[bytes];
        Region target = new Region().wrap(to, 0);
        Region host = new Region().wrap(content, 0);
        long sent = 16;
        long taken = 0;
        for (int i = 0; taken < bytes; i++) {
            assertTrue(i < DEAD, "stuck at " + taken);
            sent += sent < bytes ? Math.max(0, out.trySend(9, 42, host, 0, bytes, sent)) : 0;
            taken += in.poll() ? in.tryRecv(target, taken) : 0;
        }
        assertArrayEquals(content, to);
    }
}

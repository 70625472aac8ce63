package org.brigade.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.lifecycle.AfterTry;
import org.brigade.memory.Region;
import org.brigade.transport.Endpoint;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.JoinedEndpoint;
import org.brigade.transport.Link;
import org.brigade.transport.LinkContract;
import org.brigade.transport.loopback.LoopbackJob;
import org.brigade.transport.packet.PacketEnd;
import org.brigade.transport.staging.ChunkPool;
import org.brigade.transport.ucx.library.Ucp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every link must do, over UCX. Skipped where libucx is missing. */
class UcxLinkTest extends LinkContract {
    /** Short, so that credit runs out soon. */
    private static final int WINDOW = 128 << 10;
    /** Enough for all that lies in the system's buffers. */
    private static final int LOOKS = 1000;
    private static final long DEADLINE_NANOS = 60_000_000_000L;
    /** Much longer than a test may last. */
    private static final long SLEEP_NANOS = 600_000_000_000L;

    private final List<UcxCarrier> carriers = new ArrayList<>();
    private final List<PacketEnd> opened = new ArrayList<>();
    /** The workers that several ends share. */
    private final List<UcxCarrier> shared = new ArrayList<>();

    private static void assumeUcx() {
        String missing = UcxInventory.missing();
        assumeTrue(missing == null, missing);
    }

    /** All ranks are ends of one worker, which sends to itself: whoever looks moves all of them on. */
    @Override
    protected Endpoint[] open(int ranks) {
        assumeUcx();
        Endpoint[] lives = LoopbackJob.endpoints(ranks);
        UcxCarrier carrier = UcxCarrier.open(0, 1, 0);
        carrier.reach(new byte[][] {carrier.address()});
        shared.add(carrier);
        Endpoint[] ends = new Endpoint[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            PacketEnd end = new PacketEnd(rank, ranks, carrier, WINDOW, 0, false, true, new ChunkPool());
            opened.add(end);
            ends[rank] = new JoinedEndpoint(lives[rank], end);
        }
        return ends;
    }

    /** Ranks with a worker each, as in a job. */
    private PacketEnd[] apart(int ranks) {
        assumeUcx();
        carriers.clear();
        byte[][] addresses = new byte[ranks][];
        for (int rank = 0; rank < ranks; rank++) {
            carriers.add(UcxCarrier.open(rank, ranks, 3_000_000_000L));
            addresses[rank] = carriers.get(rank).address();
        }
        PacketEnd[] ends = new PacketEnd[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            carriers.get(rank).reach(addresses);
            ends[rank] = new PacketEnd(rank, ranks, carriers.get(rank), WINDOW, 0, false);
            opened.add(ends[rank]);
        }
        return ends;
    }

    @AfterEach
    @AfterTry
    void close() throws InterruptedException {
        List<Thread> closing = new ArrayList<>();
        for (PacketEnd end : opened) {
            Thread thread = new Thread(end::close);
            thread.start();
            closing.add(thread);
        }
        opened.clear();
        for (Thread thread : closing) {
            thread.join();
        }
        shared.forEach(UcxCarrier::close);
        shared.clear();
    }

    private static void await(Link link, PacketEnd other) {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (!link.poll()) {
            other.met(); // moves its sends on
            assertTrue(System.nanoTime() - deadline < 0, "nothing has come");
        }
    }

    @Test
    void ranksWithWorkersOfTheirOwnMeetAndLeaveTogether() throws InterruptedException {
        PacketEnd[] ends = apart(3);
        assertTrue(ends[0].link(1, Endpoint.COLLECTIVE).trySendWords(7, 42, 1, 2));
        Link in = ends[1].link(0, Endpoint.COLLECTIVE);
        await(in, ends[0]);
        assertEquals(7, in.kind());
        assertEquals(42, in.key());
        assertEquals(2, in.word(1));
        in.tryDiscard(Long.MAX_VALUE);
        assertTrue(ends[1].isConnected(0));
        assertFalse(ends[0].isConnected(2));
        assertTrue(ends[1].link(2, FabricEnd.CONTROL).trySend(3, 4, new Region().wrap(new byte[1000], 0), 0, 1000,
            0) > 0);
        await(ends[2].link(1, FabricEnd.CONTROL), ends[1]);
        close();
    }

    @Test
    void aMessageEndsASleep() {
        PacketEnd[] ends = apart(2);
        assertTrue(ends[1].wakes());
        Link in = ends[1].link(0, Endpoint.COLLECTIVE);
        for (int i = 0; i < 3; i++) {
            Thread sleeper = new Thread(() -> {
                while (!in.poll()) {
                    ends[1].sleep(SLEEP_NANOS);
                }
            });
            sleeper.setDaemon(true);
            sleeper.start();
            assertTrue(ends[0].link(1, Endpoint.COLLECTIVE).trySendWords(7, 42 + i, 1, 2));
            long deadline = System.nanoTime() + DEADLINE_NANOS;
            while (sleeper.isAlive()) {
                ends[0].met(); // moves its sends on
                assertTrue(System.nanoTime() - deadline < 0, "it sleeps");
            }
            assertEquals(42 + i, in.key());
            in.tryDiscard(Long.MAX_VALUE);
        }
    }

    /**
     * A call that has failed gets its memory back although the peer stands still, which is cut off and writes no more.
     */
    @Test
    void aPeerThatStandsStillWithinAPieceIsCutOffByACallThatFails() {
        assumeTrue(carriesLong(), "versions before 1.13 send packets only");
        int size = 8 << 20;
        PacketEnd[] ends = apart(2);
        Link out = ends[0].link(1, Endpoint.COLLECTIVE);
        Link in = ends[1].link(0, Endpoint.COLLECTIVE);
        ByteBuffer target = ByteBuffer.allocateDirect(size);
        Region from = new Region().wrap(ByteBuffer.allocateDirect(size).put(0, ones(size)), 0);
        Region to = new Region().wrap(target, 0);
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        long sent = 0;
        long taken = 0;
        while (taken == 0) { // then the receiver has said for which pieces it waits
            sent += Math.max(0, out.trySend(1, 1, from, 0, size, sent));
            taken += in.poll() ? in.tryRecv(to, taken) : 0;
            assertTrue(System.nanoTime() - deadline < 0, "nothing has come");
        }
        synchronized (carriers.get(1).lock()) { // no thread moves the receiver on: the sender begins pieces, no more
            for (int i = 0; i < LOOKS; i++) {
                sent += Math.max(0, out.trySend(1, 1, from, 0, size, sent));
            }
        }
        synchronized (carriers.get(0).lock()) { // nor the sender: the receiver waits for their bytes
            for (int i = 0; i < LOOKS; i++) {
                taken += in.poll() ? in.tryRecv(to, taken) : 0;
            }
            in.abandon();
            target.put(0, new byte[size]);
            String lost = ends[1].lost(0);
            assertTrue(lost != null && lost.contains("has not moved for 2 s what a failed call had begun"),
                sent + " bytes sent, " + taken + " taken, " + lost);
        }
        for (int i = 0; i < LOOKS; i++) {
            ends[0].met();
            ends[1].met();
        }
        assertEquals(-1, target.mismatch(ByteBuffer.allocateDirect(size)), "written after it was given back");
    }

    private boolean carriesLong() {
        assumeUcx();
        return Ucp.withdraws();
    }

    private static byte[] ones(int size) {
        byte[] ones = new byte[size];
        Arrays.fill(ones, (byte) 1);
        return ones;
    }

    /** As if its process had been killed: its connection ends, and no word has come before. */
    @Test
    void theEndOfAConnectionIsTheEndOfThePeer() {
        PacketEnd[] ends = apart(2);
        assertTrue(ends[0].link(1, Endpoint.COLLECTIVE).trySendWords(1, 1, 1, 2));
        Link in = ends[1].link(0, Endpoint.COLLECTIVE);
        await(in, ends[0]);
        in.tryDiscard(Long.MAX_VALUE);
        assertTrue(ends[1].link(0, Endpoint.COLLECTIVE).trySendWords(1, 1, 1, 2));
        await(ends[0].link(1, Endpoint.COLLECTIVE), ends[1]);
        assertNull(ends[0].lost(1));
        opened.remove(ends[1]);
        ends[1].close(); // gives up waiting for rank 0, which does not leave
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        String lost = null;
        while (lost == null && System.nanoTime() - deadline < 0) {
            ends[0].met();
            lost = ends[0].lost(1);
        }
        assertNotNull(lost);
        assertTrue(lost.startsWith("rank 1 cannot be reached any more: UCX says "), lost);
        assertEquals(Link.REFUSED,
            ends[0].link(1, Endpoint.COLLECTIVE).trySend(1, 1, new Region().wrap(new byte[8], 0), 0, 8, 0));
    }
}

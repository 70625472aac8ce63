package org.brigade.transport.hostmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.NativeLibrary;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.lifecycle.AfterTry;
import org.brigade.memory.Region;
import org.brigade.nativ.HostMpi;
import org.brigade.transport.Endpoint;
import org.brigade.transport.JoinedEndpoint;
import org.brigade.transport.Link;
import org.brigade.transport.LinkContract;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every link must do, over an MPI that this process is alone in: all ranks are ends here, and their messages go through the library's queues to itself. */
class HostMpiLinkTest extends LinkContract {
    private static final String[] LIBRARIES = {"libmpich.so.12", "libmpi.so.12", "libmpi.so.40"};
    /** Short, so that credit runs out soon. */
    private static final int WINDOW = 128 << 10;

    private final List<HostMpiEnd> opened = new ArrayList<>();

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

    /** An MPI puts variables into the environment, by which an mpirun that another test starts would take itself for a part of this job. */
    private static void initialize() {
        Set<String> known = System.getenv().keySet();
        HostMpi.initialize();
        NativeLibrary libc = NativeLibrary.getInstance("c");
        for (String each : libc.getGlobalVariableAddress("environ").getPointer(0).getStringArray(0)) {
            String name = each.substring(0, Math.max(0, each.indexOf('=')));
            if (!known.contains(name) && (name.startsWith("OMPI_") || name.startsWith("PMIX_") || name.startsWith("PMI_"))) {
                libc.getFunction("unsetenv").invokeInt(new Object[] {name});
            }
        }
    }

    @Override
    protected Endpoint[] open(int ranks) {
        return open(ranks, 0);
    }

    private Endpoint[] open(int ranks, long patienceNanos) {
        Endpoint[] lives = LoopbackJob.endpoints(ranks);
        synchronized (HostMpiEnd.LOCK) {
            // Messages that nobody took would meet those of the next test in one communicator.
            long communicator = alone();
            Endpoint[] ends = new Endpoint[ranks];
            for (int rank = 0; rank < ranks; rank++) {
                HostMpiEnd end = new HostMpiEnd(rank, ranks, communicator, new HostMpiSettings(WINDOW, patienceNanos), true);
                opened.add(end);
                ends[rank] = new JoinedEndpoint(lives[rank], end);
            }
            return ends;
        }
    }

    @AfterEach
    @AfterTry
    void close() {
        for (HostMpiEnd end : opened) {
            end.close();
        }
        opened.clear();
    }

    @Test
    void aRankIsConnectedWithThoseThatItHasSentToOrHeardFrom() {
        Endpoint[] ends = open(3);
        HostMpiEnd first = opened.get(0);
        HostMpiEnd second = opened.get(1);
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

    @Test
    void anEndKnowsThoseThatItHasMetInTheOrderInWhichItMetThem() {
        Endpoint[] ends = open(70);
        HostMpiEnd first = opened.get(0);
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
    @Test
    void aPeerThatGivesNoSignOfLifeIsLostInTheEndAndOneThatDoesIsNot() throws InterruptedException {
        Endpoint[] ends = open(3, 1_500_000_000L);
        HostMpiEnd first = opened.get(0);
        for (int peer = 1; peer < 3; peer++) {
            assertTrue(ends[0].link(peer, Endpoint.COLLECTIVE).trySendWords(1, 1, 1, 2));
        }
        opened.get(2).close();
        String lost = null;
        for (int i = 0; i < 400 && lost == null; i++) {
            Thread.sleep(25);
            assertNull(first.lost(1), "rank 1 computes, and its tender answers");
            lost = first.lost(2);
        }
        assertNotNull(lost, "rank 2 has been silent for 10 s");
        assertTrue(lost.contains("rank 2 has given no sign of life for 1 s"), lost);
        assertEquals(Link.REFUSED, ends[0].link(2, Endpoint.COLLECTIVE).trySend(1, 1, new Region().wrap(new byte[8], 0), 0, 8, 0));
    }
}

package org.brigade.transport.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.brigade.memory.Region;
import org.brigade.transport.Endpoint;
import org.brigade.transport.LinkContract;
import org.junit.jupiter.api.Test;

/** Ranks dealt out to two nodes: every other link is between nodes. */
class NodesLinkTest extends LinkContract {
    @Override
    protected Endpoint[] open(int ranks) {
        int[] nodeOf = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            nodeOf[rank] = rank % 2;
        }
        return NodesJob.endpoints(nodeOf);
    }

    @Test
    void aRankSeesTheMemoryOfItsOwnNodeOnly() {
        Endpoint[] ends = NodesJob.endpoints(0, 1, 0);
        ends[0].board(0).putLong(8, 17);
        assertEquals(17, ends[2].board(0).getLong(8));
        assertNull(ends[1].board(0));
        assertNotNull(ends[1].board(1));
        assertEquals("[0, 1, 0]", ends[1].nodes().toString());
    }

    /** The lanes of a fabric keep no order between them. */
    @Test
    void aRankInFinalizeLeavesOnlyWhenAllThatItHasSentIsHere() {
        Endpoint[] ends = NodesJob.endpoints(0, 1);
        Region message = new Region().wrap(new byte[1000], 0);
        assertEquals(1000, ends[0].link(1, Endpoint.COLLECTIVE).trySend(0, 5, message, 0, 1000, 0));
        assertTrue(ends[0].link(1, Endpoint.POINT_TO_POINT).trySendWords(1, 5, 1, 2));
        ends[0].leaving();
        assertNull(ends[1].lostPeer());
        assertFalse(ends[1].isLeaving(0), "two messages are on their way");
        assertTrue(ends[1].link(0, Endpoint.COLLECTIVE).poll());
        assertEquals(1000, ends[1].link(0, Endpoint.COLLECTIVE).tryRecv(message, 0));
        assertFalse(ends[1].isLeaving(0), "one message is on its way");
        assertTrue(ends[1].link(0, Endpoint.POINT_TO_POINT).poll());
        assertEquals(16, ends[1].link(0, Endpoint.POINT_TO_POINT).tryDiscard(16));
        assertTrue(ends[1].isLeaving(0));
    }

    @Test
    void whoExitsIsLostToAllNodesAndWhoFinalizedIsNot() {
        Endpoint[] ends = NodesJob.endpoints(0, 1, 1, 0);
        ends[3].finished();
        ends[3].exiting();
        ends[1].exiting();
        assertEquals("rank 1 exited without MPI.Finalize", ends[0].lostPeer());
        assertEquals("rank 1 exited without MPI.Finalize", ends[2].lostPeer());
        assertNull(ends[0].over(), "that is for those to decide who need it");
        assertNull(ends[2].lost(3));
        assertNull(ends[2].lost(0));
    }

    @Test
    void aFailureOfOneRankIsTheEndOfTheJobOnAllNodes() {
        Endpoint[] ends = NodesJob.endpoints(0, 1, 2, 1);
        ends[3].fail("rank 3 of 4 called Abort", 9);
        for (Endpoint end : ends) {
            assertEquals("rank 3 of 4 called Abort", end.over());
            assertEquals(9, end.failureCode());
        }
    }

    /** Rank 0 sees the death, and only it: it tells the others what it has seen if they go on. */
    @Test
    void aLossIsToldOnWhereTheJobGoesOnWithoutARank() {
        Endpoint[] ends = NodesJob.endpoints(0, 0, 1, 2);
        for (Endpoint end : ends) {
            end.survives();
        }
        ends[1].withinNode().exiting(); // its own node knows, and it has told no other
        assertNull(ends[2].lost(1));
        assertNotNull(ends[0].lostPeer());
        assertNotNull(ends[2].lostPeer());
        assertEquals("rank 1 exited without MPI.Finalize", ends[2].lost(1));
        assertEquals("rank 1 exited without MPI.Finalize", ends[3].lostPeer());
    }

    @Test
    void aSentenceOfAnyLengthArrivesWholeOrCut() {
        Endpoint[] ends = NodesJob.narrowEndpoints(0, 1);
        String sentence = "rank 1 " + "\u00fcber ".repeat(1000);
        ends[1].fail(sentence, 3);
        String heard = ends[0].over();
        assertTrue(heard.length() > 1000 && sentence.startsWith(heard.substring(0, 1000)), heard);
        assertEquals(3, ends[0].failureCode());
    }
}

package org.brigade.bootstrap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class NodesTest {
    /** All mappings of up to 6 ranks: node numbers follow the lowest ranks, and every rank sees the same map. */
    @Test
    void everyMappingIsSeenAlikeByAllRanks() {
        for (int ranks = 1; ranks <= 6; ranks++) {
            int mappings = (int) Math.pow(ranks, ranks);
            for (int mapping = 0; mapping < mappings; mapping++) {
                check(ranks, mapping);
            }
        }
    }

    private static void check(int ranks, int mapping) {
        int[] lowest = new int[ranks];
        for (int rank = 0, left = mapping; rank < ranks; rank++, left /= ranks) {
            lowest[rank] = left % ranks;
            if (lowest[rank] > rank || lowest[lowest[rank]] != lowest[rank]) {
                int wrong = rank;
                assertThrows(IllegalArgumentException.class, () -> Nodes.of(wrong, lowest));
                return;
            }
        }
        String seen = Nodes.of(0, lowest).toString();
        int next = 0;
        for (int rank = 0; rank < ranks; rank++) {
            Nodes nodes = Nodes.of(rank, lowest);
            assertEquals(seen, nodes.toString());
            next = Math.max(next, nodes.own() + 1);
            assertTrue(nodes.own() < next && (lowest[rank] != rank || nodes.own() == next - 1),
                "numbered in the order of the lowest ranks: " + nodes);
            int count = 0;
            for (int other = 0; other < ranks; other++) {
                assertEquals(lowest[other] == lowest[rank], nodes.isHere(other));
                count += nodes.isHere(other) ? 1 : 0;
            }
            assertEquals(count, nodes.here().length);
            assertEquals(lowest[rank], nodes.here()[0]);
        }
        assertEquals(next, Nodes.of(0, lowest).count());
    }

    @Test
    void someRanksSpanTheNodesTheyAreOn() {
        Nodes nodes = Nodes.of(3, new int[] {0, 1, 0, 3, 1});
        assertEquals(3, nodes.count());
        assertEquals(1, nodes.spannedBy(new int[] {0, 2}));
        assertEquals(2, nodes.spannedBy(new int[] {4, 3, 1}));
        assertArrayEquals(new int[] {1, 2, 1}, nodes.of(new int[] {4, 3, 1}));
        assertArrayEquals(new int[] {0, 1}, nodes.firsts(new int[] {4, 3, 1}));
        assertArrayEquals(new int[] {0, 2, 3}, nodes.firsts(new int[] {0, 2, 4, 3, 1}));
        assertFalse(nodes.isHere(1));
    }
}

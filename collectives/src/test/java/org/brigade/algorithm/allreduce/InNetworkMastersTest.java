package org.brigade.algorithm.allreduce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.stream.IntStream;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;
import org.junit.jupiter.api.Test;

class InNetworkMastersTest {
    /** Of 8 ranks: 0, 1, 2, 5 on one node, 3 and 4 on another, 6 alone, 7 with neither. */
    private static final int[] NODES = {9, 9, 9, 4, 4, 9, 1, 0};

    private static int[] masters(CommunicatorTopology wires, int rail) {
        return IntStream.range(0, NODES.length)
            .filter(rank -> InNetworkAllreduce.master(wires, NODES.length, rank, rail) == rank).toArray();
    }

    @Test
    void theFirstOfANodeIsItsOnlyMasterOnOneRail() {
        assertArrayEquals(new int[] {0, 3, 6, 7}, masters(CommunicatorTopology.NONE.reducing(NODES, 1), 0));
    }

    @Test
    void railsHaveMastersOfTheirOwnOnNodesOfThreeRanksAndMore() {
        CommunicatorTopology wires = CommunicatorTopology.NONE.reducing(NODES, 2);
        assertArrayEquals(new int[] {0, 3, 6, 7}, masters(wires, 0));
        assertArrayEquals(new int[] {2, 3, 6, 7}, masters(wires, 1));
    }

    @Test
    void theyAreEvenlyApartInTheOrderOfTheWires() {
        CommunicatorTopology wires =
            new CommunicatorTopology(Order.of(new int[] {5, 0, 2, 1, 3, 4, 6, 7}), Levels.NONE, null).reducing(NODES,
                4);
        int[][] expected = {{3, 5, 6, 7}, {0, 3, 6, 7}, {2, 3, 6, 7}, {1, 3, 6, 7}};
        for (int rail = 0; rail < 4; rail++) {
            assertArrayEquals(expected[rail], masters(wires, rail), "rail " + rail);
        }
    }
}

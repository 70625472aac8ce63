package org.brigade.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class EdgeListTest {
    private static final int RANKS = 5;

    /** Any edges of all ranks, several between two of them and to themselves; one end of one of them may be wrong. */
    private static long sum(long seed, int wrong) {
        Random random = new Random(seed);
        EdgeList[] out = new EdgeList[RANKS];
        EdgeList[] in = new EdgeList[RANKS];
        for (int rank = 0; rank < RANKS; rank++) {
            out[rank] = new EdgeList();
            in[rank] = new EdgeList();
        }
        for (int edge = 0; edge < 40; edge++) {
            int from = random.nextInt(RANKS);
            int to = random.nextInt(RANKS);
            long bytes = random.nextInt(9);
            out[from].add(to, random.nextInt(1000), bytes);
            in[to].add(from, random.nextInt(1000), edge == wrong ? bytes + 1 : bytes);
        }
        long sum = 0;
        for (int rank = 0; rank < RANKS; rank++) {
            sum += out[rank].fingerprint(rank, true) - in[rank].fingerprint(rank, false);
        }
        return sum;
    }

    @Test
    void fingerprintsOfAllRanksCancelOutIfTheEndsOfAllEdgesMeanTheSame() {
        for (long seed = 0; seed < 200; seed++) {
            assertEquals(0, sum(seed, -1));
            assertNotEquals(0, sum(seed, (int) (seed % 40)), "seed " + seed);
        }
    }

    @Test
    void edgesOfAPairAreNumberedAndEmptyOnesAreNone() {
        EdgeList edges = new EdgeList();
        edges.add(1, 0, 8);
        edges.add(2, 8, 0);
        edges.add(-1, 8, 8);
        for (int i = 0; i < 20; i++) {
            edges.add(i % 2 + 1, 16 + i, 4);
        }
        assertEquals(21, edges.count());
        assertEquals(0, edges.number(0));
        assertEquals(1, edges.number(1));
        assertEquals(10, edges.number(19));
        assertEquals(9, edges.number(20));
        assertEquals(39, edges.end());
        EdgeList pieces = new EdgeList();
        pieces.pieces(edges, 3, 5, 100);
        assertEquals(300, pieces.at(3));
        pieces.pieces(edges, 3, 5, 0);
        assertEquals(edges.at(3) + 3, pieces.at(3));
        assertEquals(5, pieces.bytes(3));
        edges.clear();
        assertEquals(0, edges.count());
    }
}

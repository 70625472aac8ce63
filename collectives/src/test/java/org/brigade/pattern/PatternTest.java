package org.brigade.pattern;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("calculation")
class PatternTest {
    private static final int MOST = 70;

    @Test
    void aChainVisitsEveryRankOnceFromItsStartOn() {
        for (int ranks = 1; ranks <= MOST; ranks++) {
            for (int start = 0; start < ranks; start++) {
                Chain chain = new Chain(ranks, start);
                assertEquals(Chain.NOBODY, chain.before(start));
                int visited = 1;
                int rank = start;
                for (int next = chain.after(rank); next != Chain.NOBODY; next = chain.after(next)) {
                    assertEquals(rank, chain.before(next), "before " + next + " in " + chain);
                    rank = next;
                    visited++;
                }
                assertEquals(ranks, visited, chain.toString());
            }
        }
    }

    @Test
    void aRingComesBackAfterAllRanks() {
        for (int ranks = 1; ranks <= MOST; ranks++) {
            Ring ring = new Ring(ranks);
            int rank = 0;
            for (int i = 0; i < ranks; i++) {
                assertEquals(rank, ring.previous(ring.next(rank)));
                rank = ring.next(rank);
                assertEquals((i + 1) % ranks, rank);
            }
        }
    }

    @Test
    void aTreeHasEveryNodeOnceAndSubtreesAreRuns() {
        for (int ranks = 1; ranks <= MOST; ranks++) {
            for (int radix = 2; radix <= 9; radix++) {
                KnomialTree tree = new KnomialTree(ranks, radix);
                BitSet seen = new BitSet();
                assertEquals(ranks, walk(tree, 0, seen), tree.toString());
                assertEquals(ranks, seen.cardinality(), tree.toString());
                assertEquals(ranks, tree.end(0), tree.toString());
            }
        }
    }

    @Test
    void twoTreesAreInOrderAndNobodyIsInnerInBoth() {
        for (int n = 1; n <= 4 * MOST; n++) {
            TwoTrees trees = new TwoTrees(n);
            BitSet inner = new BitSet();
            int height = 0;
            for (int tree = 0; tree < 2; tree++) {
                assertEquals(TwoTrees.NONE, trees.parent(tree, trees.top(tree)), trees.toString());
                height = Math.max(height, inOrder(trees, tree, trees.top(tree), 1, n, inner));
            }
            assertEquals(height, trees.height(), trees.toString());
        }
    }

    /** The height of a subtree, which has exactly the positions from first to last. */
    private static int inOrder(TwoTrees trees, int tree, int node, int first, int last, BitSet inner) {
        String what = "tree " + tree + ", position " + node + " of " + trees;
        assertTrue(first <= node && node <= last, what);
        int left = trees.left(tree, node);
        int right = trees.right(tree, node);
        assertEquals(node == first, left == TwoTrees.NONE, what);
        assertEquals(node == last, right == TwoTrees.NONE, what);
        assertFalse((left != TwoTrees.NONE || right != TwoTrees.NONE) && inner.get(node), what + " is inner in both");
        int height = 0;
        if (left != TwoTrees.NONE) {
            inner.set(node);
            assertEquals(node, trees.parent(tree, left), what);
            height = 1 + inOrder(trees, tree, left, first, node - 1, inner);
        }
        if (right != TwoTrees.NONE) {
            inner.set(node);
            assertEquals(node, trees.parent(tree, right), what);
            height = Math.max(height, 1 + inOrder(trees, tree, right, node + 1, last, inner));
        }
        return height;
    }

    /** Size of the subtree. */
    private static int walk(KnomialTree tree, int node, BitSet seen) {
        assertFalse(seen.get(node), node + " twice in " + tree);
        seen.set(node);
        int size = 1;
        for (int child : tree.children(node)) {
            assertEquals(node, tree.parent(child), "parent of " + child + " in " + tree);
            int below = walk(tree, child, seen);
            assertEquals(tree.end(child), child + below, "end of " + child + " in " + tree);
            size += below;
        }
        return size;
    }

    @Test
    void childrenWithTheLargestSubtreesComeFirst() {
        KnomialTree tree = new KnomialTree(27, 3);
        assertArrayEquals(new int[] {9, 18, 3, 6, 1, 2}, tree.children(0));
        assertArrayEquals(new int[] {12, 15, 10, 11}, tree.children(9));
        assertArrayEquals(new int[] {4, 2, 1}, new KnomialTree(7, 2).children(0));
    }

    @Test
    void aTreeIsNoDeeperThanTheDigitsOfItsLargestNumber() {
        for (int ranks = 1; ranks <= MOST; ranks++) {
            for (int radix = 2; radix <= 9; radix++) {
                KnomialTree tree = new KnomialTree(ranks, radix);
                int digits = ranks == 1 ? 0 : Integer.toString(ranks - 1, radix).length();
                for (int node = 0; node < ranks; node++) {
                    int depth = 0;
                    for (int at = node; at != 0; at = tree.parent(at)) {
                        depth++;
                    }
                    assertTrue(depth <= digits, "depth of " + node + " in " + tree);
                }
            }
        }
    }

    @Test
    void foldingKeepsOneOfEachPairAndRankOrder() {
        for (int ranks = 1; ranks <= MOST; ranks++) {
            for (int keep = -1; keep < ranks; keep++) {
                RecursiveExchange pattern = new RecursiveExchange(ranks, keep);
                int core = 0;
                for (int rank = 0; rank < ranks; rank++) {
                    if (pattern.folded(rank)) {
                        assertTrue(pattern.paired(rank) && !pattern.folded(pattern.partner(rank)),
                            rank + " in " + pattern);
                        assertTrue(rank != keep, pattern.toString());
                    } else {
                        assertEquals(core, pattern.number(rank), rank + " in " + pattern);
                        assertEquals(rank, pattern.rank(core), rank + " in " + pattern);
                        core++;
                    }
                }
                assertEquals(core, pattern.core(), pattern.toString());
                assertEquals(1 << pattern.rounds(), core);
            }
        }
    }

    @Test
    void exchangesAreMutualAndReachEveryCoreRank() {
        for (int ranks = 1; ranks <= MOST; ranks++) {
            RecursiveExchange pattern = new RecursiveExchange(ranks);
            for (int number = 0; number < pattern.core(); number++) {
                int rank = pattern.rank(number);
                for (int bit = 0; bit < pattern.rounds(); bit++) {
                    int peer = pattern.peer(rank, bit);
                    assertEquals(rank, pattern.peer(peer, bit), pattern.toString());
                    assertEquals(number ^ 1 << bit, pattern.number(peer), pattern.toString());
                }
                assertTrue(pattern.first(number) <= rank && rank < pattern.first(number + 1), pattern.toString());
            }
            assertEquals(ranks, pattern.first(pattern.core()), pattern.toString());
        }
    }

    @Test
    void disseminationReachesAllRanks() {
        for (int ranks = 1; ranks <= MOST; ranks++) {
            Dissemination pattern = new Dissemination(ranks);
            BitSet[] known = new BitSet[ranks];
            for (int rank = 0; rank < ranks; rank++) {
                known[rank] = new BitSet();
                known[rank].set(rank);
            }
            for (int round = 0; round < pattern.rounds(); round++) {
                BitSet[] next = new BitSet[ranks];
                for (int rank = 0; rank < ranks; rank++) {
                    assertEquals(rank, pattern.to(pattern.from(rank, round), round));
                    next[rank] = (BitSet) known[rank].clone();
                    next[rank].or(known[pattern.from(rank, round)]);
                }
                known = next;
            }
            for (int rank = 0; rank < ranks; rank++) {
                assertEquals(ranks, known[rank].cardinality(), "rank " + rank + " in " + pattern);
            }
        }
    }
}

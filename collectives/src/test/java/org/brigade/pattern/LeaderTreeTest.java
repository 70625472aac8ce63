package org.brigade.pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LeaderTreeTest {
    /**
     * Levels in which every group is cut at random into groups of the next level further in, by ranks drawn at random.
     */
    static Levels randomLevels(int ranks, int count, Random random) {
        int[][] groups = new int[count][ranks];
        for (int level = count - 1; level >= 0; level--) {
            for (int rank = 0; rank < ranks; rank++) {
                groups[level][rank] =
                    (level == count - 1 ? 0 : groups[level + 1][rank] * 64) + random.nextInt(1 + random.nextInt(4));
            }
        }
        return new Levels(groups);
    }

    static Order randomOrder(int ranks, Random random) {
        int[] order = new int[ranks];
        for (int i = 0; i < ranks; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return Order.of(order);
    }

    private static int walk(LeaderTree tree, int rank, BitSet seen) {
        assertTrue(!seen.get(rank), rank + " twice in " + tree);
        seen.set(rank);
        int count = 1;
        for (LeaderTree.Edge child : tree.children(rank)) {
            assertEquals(new LeaderTree.Edge(rank, child.level(), child.back()), tree.parent(child.rank()),
                () -> "the parent of " + child + " in " + tree);
            assertTrue(tree.radix() > 0 || tree.depth(child.rank()) == tree.depth(rank) + 1,
                () -> "the depths of " + rank + " and of " + child + " in " + tree);
            count += walk(tree, child.rank(), seen);
        }
        return count;
    }

    @Property(tries = 300)
    void aTreeReachesEveryRankOnceWhateverTheLevels(@ForAll @IntRange(min = 1, max = 40) int ranks,
        @ForAll @IntRange(max = 3) int levels, @ForAll @IntRange(max = 7) int slice,
        @ForAll boolean spread, @ForAll @IntRange(max = 4) int radix, @ForAll int seed) {
        Random random = new Random(seed);
        Hierarchy hierarchy =
            new CommunicatorTopology(randomOrder(ranks, random), randomLevels(ranks, levels, random), null)
                .hierarchy(ranks);
        LeaderTree tree =
            new LeaderTree(hierarchy, random.nextInt(ranks), slice, spread, radix < 2 ? 0 : radix, radix == 1 ? 2 : 1);
        int root = hierarchy.places().rank(tree.root());
        assertNull(tree.parent(root));
        assertEquals(ranks, walk(tree, root, new BitSet()));
    }

    @Property(tries = 200)
    void aSliceEntersEveryGroupOnce(@ForAll @IntRange(min = 1, max = 30) int ranks,
        @ForAll @IntRange(min = 1, max = 3) int count, @ForAll @IntRange(max = 5) int slice, @ForAll int seed) {
        Random random = new Random(seed);
        Levels levels = randomLevels(ranks, count, random);
        LeaderTree tree =
            new LeaderTree(new CommunicatorTopology(null, levels, null).hierarchy(ranks), random.nextInt(ranks), slice,
                true, 0, 1 + (seed & 1));
        for (int level = 0; level < count; level++) {
            Set<Integer> entered = new HashSet<>();
            for (int rank = 0; rank < ranks; rank++) {
                LeaderTree.Edge parent = tree.parent(rank);
                boolean enters = parent == null || levels.group(level, parent.rank()) != levels.group(level, rank);
                assertTrue(!enters || entered.add(levels.group(level, rank)),
                    "group " + levels.group(level, rank) + " of level " + level + " twice, by rank " + rank);
                if (parent != null) {
                    // The level of an edge is the first at which the two share a group.
                    boolean together = level >= parent.level() - 1;
                    assertEquals(together, levels.group(level, parent.rank()) == levels.group(level, rank),
                        "level " + level + " of the edge from " + parent + " to " + rank);
                }
            }
            assertEquals(levels.groups(level), entered.size());
        }
    }

    /** Four nodes of two sockets of four ranks. */
    private static CommunicatorTopology regular() {
        int[][] groups = new int[2][32];
        for (int rank = 0; rank < 32; rank++) {
            groups[0][rank] = rank / 4;
            groups[1][rank] = rank / 8;
        }
        return new CommunicatorTopology(null, new Levels(groups), null);
    }

    @Test
    void everySliceLeavesANodeFromAnotherRank() {
        Hierarchy hierarchy = regular().hierarchy(32);
        for (int root : new int[] {0, 13}) {
            for (int node = 0; node < 4; node++) {
                Set<Integer> leaders = new HashSet<>();
                Set<Integer> sockets = new HashSet<>();
                for (int slice = 0; slice < 8; slice++) {
                    int leader = hierarchy.leader(2, node, slice, root);
                    assertEquals(node, leader / 8);
                    leaders.add(leader);
                    if (slice < 2) {
                        sockets.add(leader / 4);
                    }
                }
                assertEquals(8, leaders.size(), "leaders of node " + node);
                assertEquals(2, sockets.size(), "two slices already use both sockets");
            }
            assertEquals(root, hierarchy.leader(2, root / 8, 0, root), "slice 0 leaves from the root");
        }
    }

    @Test
    void oneLeaderANodeMeansOneMessageBetweenNeighbouringNodes() {
        LeaderTree tree = new LeaderTree(regular().hierarchy(32), 13, 0, true, 0, 1);
        int between = 0;
        for (int rank = 0; rank < 32; rank++) {
            LeaderTree.Edge parent = tree.parent(rank);
            if (parent != null && parent.level() == 3) {
                between++;
                assertNotNull(tree.children(parent.rank()));
            }
        }
        assertEquals(3, between);
    }

    @Test
    void aHierarchyKnowsItsSmallestGroupAndItsHops() {
        Hierarchy hierarchy = regular().hierarchy(32);
        assertEquals(8, hierarchy.fewest());
        assertEquals(3 + 1 + 3, hierarchy.chainHops());
        assertEquals(6, CommunicatorTopology.NONE.hierarchy(7).chainHops());
        assertEquals(7, CommunicatorTopology.NONE.hierarchy(7).fewest());
    }
}

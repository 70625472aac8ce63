package mpi.front.topology;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import mpi.FakeProvider;
import mpi.MPI;
import mpi.front.job.Handle;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reordered ranks: neighbours come near each other, and no placement is worse than none. */
class RankPlacementTest {
    @BeforeEach
    void join() {
        FakeProvider.run();
    }

    private static CartesianGrid grid(int[] dims, boolean periodic) {
        int ranks = 1;
        boolean[] periods = new boolean[dims.length];
        for (int i = 0; i < dims.length; i++) {
            ranks *= dims[i];
            periods[i] = periodic;
        }
        Handle handle = Handle.of(FakeProvider.communicator("GRID", 0, ranks));
        return CartesianGrid.of(handle, "createCart", dims, periods);
    }

    private static int[] numbers(String text, String by) {
        String[] words = text.split(by);
        int[] numbers = new int[words.length];
        for (int i = 0; i < words.length; i++) {
            numbers[i] = Integer.parseInt(words[i]);
        }
        return numbers;
    }

    /** Messages of one halo exchange between nodes. */
    private static long between(CartesianGrid grid, int[] processOf, int[] nodeOf) {
        return grid.graph().cut(processOf, nodeOf);
    }

    /** What each row says: the grid, the node of each rank, the messages between nodes before and after. */
    @ParameterizedTest
    @CsvSource({
        // 4 nodes of 2 ranks, in the order in which launchers place them
        "2x2x2, 0.0.1.1.2.2.3.3, 16, 16", "2x2x2, 0.1.2.3.0.1.2.3, 16, 16", "4x2x1, 0.0.1.1.2.2.3.3, 12, 12",
        "4x2x1, 0.1.2.3.0.1.2.3, 20, 12", "8x1x1, 0.1.2.3.0.1.2.3, 14, 6", "2x2x2, 0.1.2.3.3.2.1.0, 24, 16",
        // 2 nodes of 4
        "2x2x2, 0.1.0.1.0.1.0.1, 8, 8", "4x2x1, 0.1.0.1.0.1.0.1, 8, 4", "2x4, 0.0.0.0.1.1.1.1, 8, 4",
        // 4 nodes of 4: slices become squares
        "4x4, 0.0.0.0.1.1.1.1.2.2.2.2.3.3.3.3, 24, 16",
        // nodes that differ in size, so that no blocks fit
        "3x3, 0.1.2.1.2.0.2.0.0, 20, 10"})
    void aHaloExchangeSendsFewerMessagesBetweenNodes(String dims, String nodes, long before, long after) {
        CartesianGrid grid = grid(numbers(dims, "x"), false);
        int[] nodeOf = numbers(nodes, "\\.");
        int[] placed = grid.placement(new int[][] {nodeOf}).best();
        assertEquals(before, between(grid, RankPlacement.identity(grid.size()), nodeOf), "before");
        assertEquals(after, between(grid, placed, nodeOf), "after");
        if (before == after) {
            assertArrayEquals(RankPlacement.identity(grid.size()), placed, "ranks that gain nothing stay");
        }
    }

    @Test
    void withinANodeNeighboursShareACache() {
        CartesianGrid grid = grid(new int[] {8, 8}, true);
        int[] cacheOf = new int[64];
        int[] nodeOf = new int[64];
        for (int rank = 0; rank < 64; rank++) {
            nodeOf[rank] = rank % 4;
            cacheOf[rank] = rank % 16;
        }
        int[] placed = grid.placement(new int[][] {cacheOf, nodeOf}).best();
        assertEquals(64, between(grid, placed, nodeOf), "four squares of 4 x 4 in a ring each way");
        assertEquals(128, between(grid, placed, cacheOf), "squares of 2 x 2");
    }

    @Property(tries = 300)
    void everyProcessTakesOnePlaceAndNoPlacementIsWorse(@ForAll @IntRange(min = 1, max = 40) int ranks,
        @ForAll @IntRange(min = 0, max = 3) int levels, @ForAll int seed) {
        Random random = new Random(seed);
        CommunicationGraph graph = new CommunicationGraph(ranks, 0);
        for (int i = random.nextInt(4 * ranks); i > 0; i--) {
            graph.edge(random.nextInt(ranks), random.nextInt(5) == 0 ? MPI.PROC_NULL : random.nextInt(ranks),
                random.nextInt(100));
        }
        int processes = ranks + random.nextInt(5);
        int[][] groups = new int[levels][processes];
        for (int level = levels - 1; level >= 0; level--) {
            for (int process = 0; process < processes; process++) {
                groups[level][process] =
                    (level == levels - 1 ? 0 : 8 * groups[level + 1][process]) + random.nextInt(1 + random.nextInt(8));
            }
        }
        int[] placed = new RankPlacement(graph, groups).best();
        boolean[] taken = new boolean[ranks];
        for (int process : placed) {
            assertTrue(!taken[process]);
            taken[process] = true;
        }
        if (levels > 0) {
            int[] nodes = groups[levels - 1];
            assertTrue(graph.cut(placed, nodes) <= graph.cut(RankPlacement.identity(ranks), nodes));
        }
    }

    /** Two cliques, whose members are on the nodes in turn: each becomes a node's. */
    @Test
    void aGraphOfTwoPartsIsCutBetweenThem() {
        CommunicationGraph graph = new CommunicationGraph(8, 0);
        for (int a = 0; a < 8; a++) {
            for (int b = 0; b < 8; b++) {
                if (a / 4 == b / 4 && a != b) {
                    graph.edge(a, b, 10);
                }
            }
        }
        graph.edge(3, 4, 1);
        int[] nodeOf = {0, 1, 0, 1, 0, 1, 0, 1};
        assertEquals(1, graph.cut(new RankPlacement(graph, new int[][] {nodeOf}).best(), nodeOf));
    }
}

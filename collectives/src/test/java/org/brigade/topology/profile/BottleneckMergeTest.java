package org.brigade.topology.profile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BottleneckMergeTest {
    private static List<double[][]> tables(int nodes, int crossings, long seed, boolean ring) {
        Random random = new Random(seed);
        List<double[][]> tables = new ArrayList<>();
        for (int n = 0; n < nodes; n++) {
            double[][] table = new double[!ring && n == 0 ? 1 : crossings][!ring && n == nodes - 1 ? 1 : crossings];
            for (double[] row : table) {
                for (int x = 0; x < row.length; x++) {
                    row[x] = Math.max(0, random.nextInt(12) - 3);
                }
            }
            tables.add(table);
        }
        return tables;
    }

    private static double slowest(List<double[][]> tables, int[] crossings) {
        double slowest = Double.POSITIVE_INFINITY;
        for (int n = 0; n < tables.size(); n++) {
            slowest = Math.min(slowest, tables.get(n)[crossings[n]][crossings[n + 1]]);
        }
        return slowest;
    }

    /** Tries all choices of crossings. */
    private static double best(List<double[][]> tables, int[] crossings, int position, boolean ring) {
        if (position == crossings.length) {
            return ring && crossings[0] != crossings[position - 1] ? 0 : slowest(tables, crossings);
        }
        double best = 0;
        int choices = position == 0 ? tables.get(0).length : tables.get(position - 1)[0].length;
        for (int x = 0; x < choices; x++) {
            crossings[position] = x;
            best = Math.max(best, best(tables, crossings, position + 1, ring));
        }
        return best;
    }

    @Property
    void ringsOfNodesAreAsFastAsTheFastestOfAll(@ForAll @IntRange(min = 1, max = 4) int nodes,
        @ForAll @IntRange(min = 1, max = 5) int crossings, @ForAll long seed) {
        check(tables(nodes, crossings, seed, true), true);
    }

    @Property
    void chainsOfNodesAreAsFastAsTheFastestOfAll(@ForAll @IntRange(min = 1, max = 4) int nodes,
        @ForAll @IntRange(min = 1, max = 5) int crossings, @ForAll long seed) {
        check(tables(nodes, crossings, seed, false), false);
    }

    private static void check(List<double[][]> tables, boolean ring) {
        double best = best(tables, new int[tables.size() + 1], 0, ring);
        BottleneckMerge.Result found = ring ? BottleneckMerge.ring(tables) : BottleneckMerge.chain(tables);
        if (best == 0) {
            assertNull(found);
        } else {
            assertEquals(best, found.bandwidth());
            assertEquals(best, slowest(tables, found.crossings()),
                "the crossings that it names are as fast as it says");
        }
    }

    /** What the blog prints, max over x of both, would find 9 here. */
    @Test
    void aRingIsAsSlowAsItsSlowestNode() {
        BottleneckMerge.Result ring =
            BottleneckMerge.ring(List.of(new double[][] {{9, 4}, {3, 2}}, new double[][] {{1, 5}, {4, 9}}));
        assertEquals(4, ring.bandwidth());
        assertArrayEquals(new int[] {0, 1, 0}, ring.crossings());
    }
}

package org.brigade.topology.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.brigade.topology.profile.NetworkProfile.Visit;
import org.brigade.topology.profile.Transfer;
import org.junit.jupiter.api.Test;

class NodeSearchTest {
    private static final double LINK = 12.5e9;

    /** Nodes dealt out to racks; what passes between racks shares each rack's trunk, up and down. */
    private record Racks(int racks, double trunk, double[] up) implements TransferMeter {
        @Override
        public double bandwidth(TransferSet set) {
            int nodes = up.length;
            double[] out = new double[nodes];
            double[] in = new double[nodes];
            double[] above = new double[racks];
            double[] below = new double[racks];
            for (Transfer transfer : set.transfers()) {
                out[transfer.from()]++;
                in[transfer.to()]++;
                if (transfer.from() % racks != transfer.to() % racks) {
                    above[transfer.from() % racks]++;
                    below[transfer.to() % racks]++;
                }
            }
            double least = Double.POSITIVE_INFINITY;
            for (int node = 0; node < nodes; node++) {
                least = Math.min(least, Math.min(up[node] / out[node], LINK / in[node]));
            }
            for (int rack = 0; rack < racks; rack++) {
                least = Math.min(least, trunk / Math.max(above[rack], below[rack]));
            }
            return least;
        }
    }

    private static NodeSearch search(TransferMeter meter, int nodes) {
        return new NodeSearch(new double[nodes][nodes], layout -> new IsomorphismCache(layout, meter), 0.1,
            warning -> {});
    }

    private static double[] links(int nodes) {
        double[] up = new double[nodes];
        Arrays.fill(up, LINK);
        return up;
    }

    private static int changesOfRack(List<Integer> nodes, int racks) {
        int changes = 0;
        for (int i = 0; i < nodes.size(); i++) {
            changes += nodes.get(i) % racks != nodes.get((i + 1) % nodes.size()) % racks ? 1 : 0;
        }
        return changes;
    }

    /** Nodes of a rack are nearer to each other: racks as dealt out. */
    private static double[][] near(int nodes, int racks) {
        double[][] distances = new double[nodes][nodes];
        for (int one = 0; one < nodes; one++) {
            for (int other = 0; other < nodes; other++) {
                distances[one][other] = one == other ? 0 : one % racks == other % racks ? 20 : 23;
            }
        }
        return distances;
    }

    private static void assertRackByRack(double[][] distances, int racks, int most) {
        int nodes = distances.length;
        int[] count = new int[1];
        Racks network = new Racks(racks, LINK, links(nodes));
        NodeSearch search = new NodeSearch(distances, layout -> new IsomorphismCache(layout, set -> {
            count[0]++;
            return network.bandwidth(set);
        }), 0.1, warning -> {});
        Visit ring = search.ring();
        assertEquals(racks, changesOfRack(ring.nodes(), racks), () -> "ring " + ring.nodes());
        assertEquals(LINK, ring.bandwidth());
        for (int start = 0; start < nodes; start++) {
            Visit chain = search.chain(start);
            assertEquals(start, chain.nodes().get(0));
            assertEquals(LINK, chain.bandwidth(), () -> "chain " + chain.nodes());
        }
        assertTrue(count[0] <= most, () -> count[0] + " measurements for " + nodes + " nodes");
    }

    @Test
    void aRingEntersAndLeavesEachRackOnce() {
        for (int[] shape : new int[][] {{4, 2}, {6, 2}, {6, 3}, {9, 3}, {12, 3}, {16, 2}, {24, 4}}) {
            int nodes = shape[0];
            assertRackByRack(near(nodes, shape[1]), shape[1], nodes * (nodes - 1) + 2 + nodes);
        }
    }

    @Test
    void racksOfFewNodesAreFoundWithoutDistances() {
        for (int[] shape : new int[][] {{4, 2}, {6, 2}, {6, 3}}) {
            int nodes = shape[0];
            assertRackByRack(new double[nodes][nodes], shape[1], nodes * (nodes - 1) + 13 * nodes);
        }
    }

    /** Nothing tells which nodes are near, and there are too many orders: then the order given stays. */
    @Test
    void aSearchThatIsTooLongEndsWithTheBestSoFar() {
        int[] count = new int[1];
        Racks network = new Racks(3, LINK, links(12));
        Visit ring = new NodeSearch(new double[12][12], layout -> new IsomorphismCache(layout, set -> {
            count[0]++;
            return network.bandwidth(set);
        }), 0.1, warning -> {}).ring();
        assertEquals(LINK / 4, ring.bandwidth());
        assertEquals(12 * 11 + 3 + 12 * 12 + 1, count[0], 3);
    }

    /** A ring must leave every node; a chain need not leave the one whose way out is slow. */
    @Test
    void aChainEndsAtTheNodeWhoseWayOutIsSlow() {
        double[] up = links(5);
        up[2] = LINK / 5;
        NodeSearch search = search(new Racks(1, LINK, up), 5);
        assertEquals(LINK / 5, search.ring().bandwidth());
        for (int start : new int[] {0, 1, 3, 4}) {
            assertEquals(LINK, search.chain(start).bandwidth());
            assertEquals(2, search.chain(start).nodes().get(4));
        }
        assertEquals(LINK / 5, search.chain(2).bandwidth(), "it begins there");
    }

    @Test
    void onNetworksOfAnyRatesPathsAreAsFastAsTheFastestUpToTheTolerance() {
        Random random = new Random(17);
        for (int round = 0; round < 200; round++) {
            int nodes = 3 + random.nextInt(2);
            double[] up = links(nodes);
            for (int node = 0; node < nodes; node++) {
                up[node] = LINK * (1 + random.nextInt(4)) / 4;
            }
            Racks network = new Racks(1 + random.nextInt(3), LINK * (1 + random.nextInt(4)) / 2, up);
            NodeSearch search = search(network, nodes);
            double best = fastest(network, nodes, new ArrayList<>(List.of(0)), true);
            assertTrue(search.ring().bandwidth() >= best / 1.1, () -> search.ring() + " in " + network);
            for (int start = 0; start < nodes; start++) {
                Visit chain = search.chain(start);
                double most = fastest(network, nodes, new ArrayList<>(List.of(start)), false);
                assertTrue(chain.bandwidth() >= most / 1.1 / 1.1, () -> chain + " in " + network);
            }
        }
    }

    /** Of all orders. */
    private static double fastest(Racks network, int nodes, List<Integer> begun, boolean ring) {
        if (begun.size() == nodes) {
            List<Transfer> hops = new ArrayList<>();
            for (int i = ring ? 0 : 1; i < nodes; i++) {
                hops.add(NodeSearch.message(begun.get((i + nodes - 1) % nodes), begun.get(i)));
            }
            return network.bandwidth(TransferSet.of(hops));
        }
        double most = 0;
        for (int node = 0; node < nodes; node++) {
            if (!begun.contains(node)) {
                begun.add(node);
                most = Math.max(most, fastest(network, nodes, begun, ring));
                begun.remove(begun.size() - 1);
            }
        }
        return most;
    }

    @Test
    void nodesThatAreAlikeTakeFewMeasurements() {
        int[] count = new int[1];
        NodeSearch search = new NodeSearch(new double[8][8], layout -> new IsomorphismCache(layout, set -> {
            count[0]++;
            return LINK;
        }), 0.1, warning -> {});
        for (int node = 0; node < 8; node++) {
            search.chain(node);
        }
        assertEquals(8 * 7 + 1 + 8, count[0]);
        assertEquals(count[0], NodeSearch.expected(8));
    }

    @Test
    void aTourOverAGridIsShort() {
        double[][] distances = new double[12][12];
        for (int one = 0; one < 12; one++) {
            for (int other = 0; other < 12; other++) {
                distances[one][other] = Math.hypot(one % 4 - other % 4, one / 4 - other / 4);
            }
        }
        List<Integer> tour = ShortTour.over(distances);
        double length = 0;
        for (int i = 0; i < 12; i++) {
            length += distances[tour.get(i)][tour.get((i + 1) % 12)];
        }
        assertEquals(12, length, 1e-6, tour::toString);
    }
}

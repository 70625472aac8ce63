package org.brigade.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import mpi.spi.Collective;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.pattern.ChainSearch;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;
import org.brigade.simulate.wiring.IdealWiring;
import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.RoutingModel;
import org.brigade.simulate.wiring.WiringBandwidth;
import org.junit.jupiter.api.Test;

/** What following the wires is worth, on wires made up for it. */
class FollowedWiresTest {
    private static final double NEAR = 72e9;
    private static final double FAR = 28e9;

    /**
     * Two groups; any two ranks of one have a wire each way of their own, all transfers from one group to the other
     * share one wire each way.
     */
    private record TwoGroups(int[] groupOf) implements RoutingModel {
        @Override
        public int ranks() {
            return groupOf.length;
        }

        @Override
        public int resources() {
            return 2 + groupOf.length * groupOf.length;
        }

        @Override
        public double capacity(int resource) {
            return resource < 2 ? FAR : NEAR;
        }

        @Override
        public String name(int resource) {
            return resource < 2 ? "from group " + resource : "wire " + resource;
        }

        @Override
        public Route route(int from, int to, long bytes) {
            return Route.through(Double.POSITIVE_INFINITY, 0, 0,
                groupOf[from] == groupOf[to] ? 2 + from * groupOf.length + to : groupOf[from]);
        }

        @Override
        public Route reduction(int rank, long bytes) {
            return Route.FREE;
        }

        @Override
        public Route copy(int rank, long bytes) {
            return Route.FREE;
        }
    }

    private static double seconds(RoutingModel wiring, Collective collective, String algorithm, long bytes, long chunk,
        CommunicatorTopology wires) {
        ScheduledAlgorithm scheduled = (ScheduledAlgorithm) Catalogue.find(collective, algorithm);
        return new Simulator(wiring).run(new SimulatedCall(scheduled, wiring.ranks(), 0, bytes, chunk, 4, wires))
            .seconds();
    }

    private static CommunicatorTopology levels(int... groupOf) {
        return new CommunicatorTopology(null, new Levels(new int[][] {groupOf}), null);
    }

    /**
     * The ring takes 2 (n - 1)/n of the vector over the slow wire, three halves; the hierarchy takes it once, if
     * members and leaders do not hold each other up.
     */
    @Test
    void theStagesOfTheHierarchicalAllreduceOverlap() {
        RoutingModel wiring = new TwoGroups(new int[] {0, 0, 1, 1});
        long bytes = 256 << 20;
        double ring =
            seconds(wiring, Collective.ALLREDUCE, "segmented-ring", bytes, 1 << 20, CommunicatorTopology.NONE);
        double hierarchical = seconds(wiring, Collective.ALLREDUCE, "hierarchical", bytes, 1 << 20, levels(0, 0, 1, 1));
        assertEquals(1.5 * bytes / FAR, ring, 0.01 * ring);
        assertTrue(hierarchical < 1.02 * bytes / FAR,
            hierarchical + " s, " + bytes / FAR + " s on the slow wire alone");
    }

    @Test
    void theLevelsOfTheHierarchicalBroadcastOverlap() {
        RoutingModel wiring = new TwoGroups(new int[] {0, 1, 0, 1, 0, 1});
        long bytes = 256 << 20;
        double chain = seconds(wiring, Collective.BCAST, "pipelined-chain", bytes, 1 << 20, CommunicatorTopology.NONE);
        double hierarchical =
            seconds(wiring, Collective.BCAST, "hierarchical", bytes, 1 << 20, levels(0, 1, 0, 1, 0, 1));
        assertTrue(chain > 2.9 * bytes / FAR, "three transfers share the slow wire: " + chain);
        assertTrue(hierarchical < 1.03 * bytes / FAR, hierarchical + " s");
    }

    @Test
    void ringsThatFollowAnOrderCrossTheSlowWireOnce() {
        RoutingModel wiring = new TwoGroups(new int[] {0, 1, 0, 1, 0, 1});
        CommunicatorTopology ordered =
            new CommunicatorTopology(Order.of(new int[] {0, 2, 4, 1, 3, 5}), Levels.NONE, null);
        for (String algorithm : new String[] {"ring", "segmented-ring"}) {
            double plain =
                seconds(wiring, Collective.ALLREDUCE, algorithm, 60 << 20, 1 << 20, CommunicatorTopology.NONE);
            double follows = seconds(wiring, Collective.ALLREDUCE, algorithm, 60 << 20, 1 << 20, ordered);
            assertEquals(3, plain / follows, 0.1, algorithm);
        }
    }

    @Test
    void theTopologyAwareChainIsFoundFromFairSharesAndPaysOff() {
        RoutingModel wiring = new TwoGroups(new int[] {0, 1, 0, 1, 0, 1, 0, 1});
        WiringBandwidth bandwidth = new WiringBandwidth(wiring, 1 << 20);
        int[] plain = {0, 1, 2, 3, 4, 5, 6, 7};
        assertEquals(FAR / 4, bandwidth.of(plain, 0, 8), 1, "four transfers go from the first group to the second");
        assertEquals(FAR / 2, bandwidth.of(plain, 0, 4), 1);
        assertEquals(Double.POSITIVE_INFINITY, bandwidth.of(plain, 3, 4));
        Order order = Order.identity(8);
        CommunicatorTopology wires =
            new CommunicatorTopology(null, Levels.NONE, new ChainSearch(bandwidth, order, Levels.NONE));
        assertEquals(FAR, bandwidth.of(wires.chain(0, 8).toArray(), 0, 8), 1, wires.chain(0, 8).toString());
        long bytes = 64 << 20;
        double chain =
            seconds(wiring, Collective.BCAST, "pipelined-chain", bytes, 256 << 10, CommunicatorTopology.NONE);
        double aware = seconds(wiring, Collective.BCAST, "topology-aware-chain", bytes, 256 << 10, wires);
        assertTrue(chain / aware > 3.5, chain + " s against " + aware + " s");
    }

    /**
     * Not exact: a leader's messages share its link, but not their start-ups, and with several leaders slices come in
     * bursts.
     */
    @Test
    void hierarchiesCostOnAnIdealNetworkWhatTheModelSays() {
        double startup = 2e-6;
        double rate = 6.8e9;
        CostModel model = new CostModel(startup * 1e9, rate / 1e9);
        long bytes = 64 << 20;
        for (int[] shape : new int[][] {{4, 4}, {8, 8}, {3, 5}, {6, 3}}) {
            int ranks = shape[0] * shape[1];
            int[] nodes = new int[ranks];
            for (int rank = 0; rank < ranks; rank++) {
                nodes[rank] = rank / shape[1];
            }
            CommunicatorTopology wires = levels(nodes);
            for (Collective collective : new Collective[] {Collective.BCAST, Collective.ALLREDUCE}) {
                for (String algorithm : new String[] {"hierarchical", "multi-leader"}) {
                    long chunk = model.bestChunk(Catalogue.find(collective, algorithm).hops(ranks, wires), bytes);
                    double simulated =
                        seconds(new IdealWiring(ranks, rate, startup), collective, algorithm, bytes, chunk, wires);
                    double predicted = Catalogue.find(collective, algorithm).cost(model,
                        new PredictedCall(ranks, wires, bytes, chunk, 4, 0)) / 1e9;
                    String what = collective + " " + algorithm + ", " + shape[0] + " nodes of " + shape[1] + ": "
                        + simulated + " s, predicted " + predicted;
                    assertTrue(simulated > 0.8 * predicted && simulated < 1.25 * predicted, what);
                }
            }
        }
    }
}

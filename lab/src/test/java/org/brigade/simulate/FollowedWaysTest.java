package org.brigade.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URISyntaxException;
import java.nio.file.Path;
import mpi.spi.Collective;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Order;
import org.brigade.pattern.TransferRoute;
import org.brigade.simulate.flow.SimulatedMeter;
import org.brigade.simulate.wiring.MachineWiring;
import org.brigade.simulate.wiring.NodePlacement;
import org.brigade.simulate.wiring.PlacedWiring;
import org.brigade.simulate.wiring.RoutingModel;
import org.brigade.topology.machine.Machine;
import org.brigade.topology.machine.Machines;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.PathProfile;
import org.brigade.topology.profile.ProfiledOrder;
import org.brigade.topology.search.IsomorphismCache;
import org.brigade.topology.search.PathSearch;
import org.brigade.topology.search.ProfileSearch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schedules go by the ways that a profile found, bounce buffers among them, and are as fast as it says. */
class FollowedWaysTest {
    private static final long BYTES = 256 << 20;
    /**
     * While a chain fills, its fast hops wait for nothing, and an order's other hops may be slower than the usual's.
     */
    private static final double LEAST = 0.97;
    private static final String[][] CALLS = {{"ALLREDUCE", "ring"}, {"BCAST", "topology-aware-chain"}};

    private static PathProfile profile(String machine) {
        SimulatedMeter meter = new SimulatedMeter(Machines.find(machine));
        NodeLayout layout = meter.layout();
        ProfileSearch search =
            new ProfileSearch(layout, new PathSearch(layout, new IsomorphismCache(layout, meter)), null);
        search.within(layout.allGpus());
        return search.profile();
    }

    /** Bytes/s along a profile of all GPUs of all nodes, and by the machine's own policy. */
    private static double[] withAndWithout(Machine machine, Collective collective, String algorithm) {
        MachineWiring wiring = MachineWiring.of(machine);
        PlacedWiring placed = new PlacedWiring(wiring, NodePlacement.blocks(wiring, wiring.ranks()));
        CommunicatorTopology known = placed.wires(wiring.ranks(), BYTES);
        return new double[] {bandwidth(placed, collective, algorithm, placed.following(across(machine), known)),
            bandwidth(placed, collective, algorithm, known)};
    }

    private static PathProfile across(Machine machine) {
        SimulatedMeter meter = new SimulatedMeter(machine);
        NodeLayout layout = meter.layout();
        ProfileSearch search =
            new ProfileSearch(layout, new PathSearch(layout, new IsomorphismCache(layout, meter)), null);
        if (layout.gpus() > 1) {
            search.within(layout.allGpus());
        }
        search.across(layout.allGpus());
        return search.profile();
    }

    @Property(tries = 300)
    void followingAProfileIsNeverSlower(@ForAll long seed) {
        Machine machine = UnequalMachines.cluster(seed);
        for (String[] call : CALLS) {
            double[] rates = withAndWithout(machine, Collective.valueOf(call[0]), call[1]);
            assertTrue(rates[0] >= rates[1] * LEAST, () -> call[1] + " by the profile " + rates[0] + ", without it "
                + rates[1] + ", on the machine of seed " + seed);
        }
    }

    /**
     * 10^9 bytes/s: profiles that lost, by a bounce memory's first adapter, or by a price that the usual way had not.
     */
    @ParameterizedTest
    @CsvSource({"first-adapter, 3.0", "three-adapters, 4.0", "two-prices, 5.0"})
    void aProfileThatKnowsNoBetterLosesNothing(String name, double usual) throws URISyntaxException {
        Machine machine = Machines.find(
            Path.of(FollowedWaysTest.class.getResource(name + ".machine").toURI()).toString());
        double[] rates = withAndWithout(machine, Collective.ALLREDUCE, "ring");
        assertEquals(usual * 1e9, rates[1], 0.01 * usual * 1e9, "without the profile");
        assertEquals(usual * 1e9, rates[0], 0.01 * usual * 1e9, "by the profile");
    }

    private static PlacedWiring four(MachineWiring wiring) {
        return new PlacedWiring(wiring, NodePlacement.blocks(wiring, 4));
    }

    private static double bandwidth(RoutingModel wiring, Collective collective, String algorithm,
        CommunicatorTopology wires) {
        SimulatedCall call = new SimulatedCall((ScheduledAlgorithm) Catalogue.find(collective, algorithm),
            wiring instanceof PlacedWiring placed ? placed.ranks() : 4, 0, BYTES, 4 << 20, 2, wires);
        return SimulatedCall.busBytes(call.algorithm().collective(), call.ranks(), call.bytes())
            / new Simulator(wiring).run(call).seconds();
    }

    @ParameterizedTest
    @CsvSource({"intel-v100, 2.0", "amd-v100, 8.82"})
    void ringsRunAtTheProfilesBandwidth(String name, double without) {
        MachineWiring wiring = MachineWiring.of(Machines.find(name));
        PathProfile profile = profile(name);
        CommunicatorTopology known = wiring.wires(4, BYTES);
        double measured = profile.ring(15).bandwidth();
        assertEquals(without * 1e9, bandwidth(wiring, Collective.ALLREDUCE, "ring", known), 0.01 * measured);
        assertEquals(measured, bandwidth(wiring, Collective.ALLREDUCE, "ring", four(wiring).following(profile, known)),
            0.01 * measured);
    }

    /** GPU 0 of each node: adapters read GPU memory slowly, and host memory fast. */
    @Test
    void hopsBetweenNodesGoThroughTheMemoryThatWasMeasured() {
        MachineWiring machine = MachineWiring.of(Machines.find("intel-v100"));
        PlacedWiring wiring = new PlacedWiring(machine, NodePlacement.cyclic(machine, 4));
        SimulatedMeter meter = new SimulatedMeter(machine.machine());
        ProfileSearch search = new ProfileSearch(meter.layout(),
            new PathSearch(meter.layout(), new IsomorphismCache(meter.layout(), meter)), null);
        search.across(1);
        CommunicatorTopology known = wiring.wires(4, BYTES);
        CommunicatorTopology followed = wiring.following(search.profile(), known);
        assertEquals(TransferRoute.By.NETWORK, followed.order(4).way(0).by());
        assertTrue(followed.order(4).way(0).memory() >= 0, () -> followed.order(4).way(0).toString());
        assertEquals(2e9, bandwidth(wiring, Collective.ALLREDUCE, "ring", known), 2e7);
        double measured =
            new ProfiledOrder(search.profile(), new int[] {0, 1, 2, 3}, new int[4]).ringBandwidth();
        assertEquals(1e10, measured, 1e8);
        assertEquals(measured, bandwidth(wiring, Collective.ALLREDUCE, "ring", followed), 0.01 * measured);
    }

    /** A chain of four has two hops more than a transfer. */
    @ParameterizedTest
    @CsvSource({"intel-v100", "amd-v100"})
    void chainsRunAtTheProfilesBandwidth(String name) {
        MachineWiring wiring = MachineWiring.of(Machines.find(name));
        PathProfile profile = profile(name);
        double measured = profile.chain(15, 0).bandwidth();
        double reached = bandwidth(wiring, Collective.BCAST, "topology-aware-chain",
            four(wiring).following(profile, wiring.wires(4, BYTES)));
        assertEquals(measured, reached, 0.05 * measured);
    }

    @Test
    void aWayThatTheMachineDoesNotHaveIsRefused() {
        MachineWiring wiring = MachineWiring.of(Machines.find("intel-v100"));
        assertTrue(
            assertThrows(IllegalArgumentException.class, () -> wiring.route(0, 1, 1 << 20, TransferRoute.bounce(4)))
                .getMessage().contains("has 4"));
        assertTrue(
            assertThrows(IllegalArgumentException.class,
                () -> four(wiring).following(profile("rx1"), CommunicatorTopology.NONE))
                .getMessage().contains("8 GPUs"));
    }

    @Test
    void onlyTheHopsOfTheOrderTakeItsWays() {
        Order order =
            Order.of(new int[] {0, 2, 1}).by(new TransferRoute[] {TransferRoute.WRITE, TransferRoute.bounce(1), null});
        assertEquals(TransferRoute.WRITE, order.way(0, 2));
        assertEquals(TransferRoute.bounce(1), order.way(2, 1));
        assertEquals(null, order.way(1, 0));
        assertEquals(null, order.way(2, 0), "the other way round");
        assertThrows(IllegalArgumentException.class, () -> order.by(new TransferRoute[2]));
    }
}

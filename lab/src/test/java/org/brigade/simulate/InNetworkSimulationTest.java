package org.brigade.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.allreduce.InNetworkAllreduce;
import org.brigade.algorithm.allreduce.RingAllreduce;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.simulate.wiring.FatTreeWiring;
import org.brigade.simulate.wiring.RailsWiring;
import org.brigade.simulate.wiring.RoutingModel;
import org.brigade.simulate.wiring.StepsWiring;
import org.junit.jupiter.api.Test;

/** What reducing in the network takes follows from the wiring by arithmetic. */
class InNetworkSimulationTest {
    private static final double RATE = 1e9;
    private static final double STARTUP = 2e-6;
    private static final double HOP = 1e-7;
    private static final double SWITCH = 200e-9;

    private static double seconds(RoutingModel wiring, ScheduledAlgorithm algorithm, int ranks, long bytes, long window,
        CommunicatorTopology wires) {
        return new Simulator(wiring).run(new SimulatedCall(algorithm, ranks, 0, bytes, window, 2, wires)).seconds();
    }

    private static RoutingModel tree(int hosts, int radix) {
        return new FatTreeWiring(hosts, 1, radix, RATE, STARTUP, HOP, 1e12, true);
    }

    /** One window: start-up, the bytes once at 96 % of the rate, up and down the tree; whatever the number of hosts. */
    @Test
    void everyHostSendsOnceAndReceivesOnce() {
        long bytes = 960_000;
        for (int hosts : new int[] {2, 4, 9, 16, 54}) {
            RoutingModel wiring = tree(hosts, 6);
            int height = hosts <= 3 ? 1 : hosts <= 9 ? 2 : 3;
            double expected = STARTUP + bytes / (0.96 * RATE) + (2 * height - 1) * HOP + height * SWITCH;
            assertEquals(expected,
                seconds(wiring, new InNetworkAllreduce(), hosts, bytes, 0, wiring.wires(hosts, bytes)), 1e-9,
                hosts + " hosts");
            Simulation simulation = new Simulator(wiring)
                .run(new SimulatedCall(new InNetworkAllreduce(), hosts, 0, bytes, 0, 2, wiring.wires(hosts, bytes)));
            for (int host = 0; host < 2 * hosts; host++) {
                assertEquals(bytes, simulation.carried(host), 1, wiring.name(host));
            }
        }
    }

    /** Each rail carries its part, at once with the others. */
    @Test
    void railsShareTheBytes() {
        long bytes = 960_000;
        RoutingModel wiring = new RailsWiring(tree(9, 6), 2);
        Simulation simulation = new Simulator(wiring)
            .run(new SimulatedCall(new InNetworkAllreduce(), 9, 0, bytes, 0, 2, wiring.wires(9, bytes)));
        assertEquals(STARTUP + bytes / 2 / (0.96 * RATE) + 3 * HOP + 2 * SWITCH, simulation.seconds(), 1e-9);
        for (int rail = 0; rail < 2; rail++) {
            for (int host = 0; host < 18; host++) {
                int link = rail * wiring.resources() / 2 + host;
                assertEquals(bytes / 2, simulation.carried(link), 1, wiring.name(link));
            }
        }
    }

    /** An ordinary message takes all rails at once. */
    @Test
    void messagesTakeAllRails() {
        long bytes = 1_000_000;
        double one = seconds(tree(4, 6), new RingAllreduce(), 4, bytes, 0, CommunicatorTopology.NONE);
        double both =
            seconds(new RailsWiring(tree(4, 6), 2), new RingAllreduce(), 4, bytes, 0, CommunicatorTopology.NONE);
        assertEquals(one - both, 6 * bytes / 4 / RATE / 2, 1e-7);
    }

    /** Windows follow each other at the pace of start-up and bytes; a sum is on its way down while the next goes up. */
    @Test
    void windowsAreUnderWayOneBehindTheOther() {
        RoutingModel wiring = tree(9, 6);
        long window = 96_000;
        double expected = 10 * (STARTUP + window / (0.96 * RATE)) + 3 * HOP + 2 * SWITCH;
        assertEquals(expected,
            seconds(wiring, new InNetworkAllreduce(), 9, 10 * window, window, wiring.wires(9, window)), 1e-9);
    }

    @Test
    void aNodesChainIsTwoStepsForEachRankBehindTheMaster() {
        for (int perNode = 1; perNode <= 4; perNode++) {
            int ranks = 3 * perNode;
            int size = perNode;
            int[] nodeOf = new int[ranks];
            Arrays.setAll(nodeOf, rank -> rank / size);
            CommunicatorTopology wires = CommunicatorTopology.NONE.reducing(nodeOf, 1);
            assertEquals(2 * (perNode - 1) + 2,
                seconds(new StepsWiring(ranks, wires), new InNetworkAllreduce(), ranks, 1 << 20, 0, wires), 1e-12,
                perNode + " ranks a node");
        }
    }

    @Test
    void stepsOfARingAreTwiceItsOthers() {
        assertEquals(2 * 15,
            seconds(new StepsWiring(16, CommunicatorTopology.NONE), new RingAllreduce(), 16, 1 << 20, 0,
                CommunicatorTopology.NONE),
            1e-12);
    }

    @Test
    void aNetworkThatDoesNotReduceIsAnErrorThatSaysWhichDoes() {
        RoutingModel plain = new FatTreeWiring(8, 1, 6);
        String message = assertThrows(IllegalArgumentException.class,
            () -> seconds(plain, new InNetworkAllreduce(), 8, 1024, 0, CommunicatorTopology.NONE)).getMessage();
        assertEquals(true, message.contains("reducing-fat-tree"), message);
    }
}

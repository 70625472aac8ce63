package org.brigade.simulate.wiring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.brigade.simulate.flow.SimulatedMeter;
import org.brigade.topology.machine.Machine;
import org.brigade.topology.machine.MachineReader;
import org.brigade.topology.machine.Machines;
import org.brigade.topology.machine.TransferKind;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.Distance;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.profile.TransferType;
import org.brigade.topology.search.TransferSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("calculation")
class MachineWiringTest {
    private static final long LARGE = 64 << 20;

    /** Every machine with device ranks, if it has any, and with host ranks. */
    static List<MachineWiring> wirings() {
        List<MachineWiring> all = new ArrayList<>();
        for (String name : Machines.names()) {
            Machine machine = Machines.find(name);
            if (!machine.topology().of(ComponentKind.GPU).isEmpty()) {
                all.add(MachineWiring.onDevices(machine));
            }
            all.add(MachineWiring.onHosts(machine));
        }
        return all;
    }

    private static double alone(RoutingModel wiring, Route route) {
        return FairShare.rates(wiring, route)[0];
    }

    /** The links of a route, each with the components that data leave by it; both ends if it is half-duplex. */
    private static Set<Integer> reachedBy(MachineWiring wiring, Route route, int from) {
        Topology topology = wiring.machine().topology();
        Set<Integer> reached = new HashSet<>();
        reached.add(from);
        for (boolean more = true; more;) {
            more = false;
            for (int resource : route.resources()) {
                if (resource < 2 * topology.links().size()) {
                    TopologyLink link = topology.link(resource >> 1);
                    int start = (resource & 1) == 0 ? link.a() : link.b();
                    if (reached.contains(start) || link.halfDuplex() && reached.contains(link.other(start))) {
                        more |= reached.add(link.other(start)) | reached.add(start);
                    }
                }
            }
        }
        return reached;
    }

    @ParameterizedTest
    @MethodSource("wirings")
    void everyRouteIsAWayFromOneRankToTheOtherAndUsesNothingElse(MachineWiring wiring) {
        Topology topology = wiring.machine().topology();
        int ranks = Math.min(wiring.ranks(), 40);
        for (int from = 0; from < ranks; from++) {
            for (int to = 0; to < ranks; to++) {
                if (from != to) {
                    for (RouteChoice via : RouteChoice.values()) {
                        Route route = wiring.route(from, to, LARGE, via);
                        String what = wiring.machine().name() + " " + from + " to " + to + " " + via;
                        boolean network = false;
                        for (int resource : route.resources()) {
                            assertTrue(resource >= 0 && resource < wiring.resources(), what);
                            assertFalse(wiring.name(resource).isBlank(), what);
                            assertTrue(wiring.capacity(resource) > 0 && wiring.capacity(resource) < 1e15, what);
                            if (resource < 2 * topology.links().size()) {
                                TopologyLink link = topology.link(resource >> 1);
                                network |= link.kind() == LinkKind.NETWORK || link.kind() == LinkKind.NTB;
                                for (int end : new int[] {link.a(), link.b()}) {
                                    int node = topology.component(end).node();
                                    assertTrue(node == Component.NETWORK || node == wiring.place(from).node()
                                        || node == wiring.place(to).node(), what + " by " + wiring.name(resource));
                                }
                            }
                        }
                        assertEquals(wiring.place(from).node() != wiring.place(to).node(), network,
                            what + " over the network");
                        if (wiring.place(from) != wiring.place(to) && (wiring.holdsDevices() || !network)) {
                            assertTrue(
                                reachedBy(wiring, route, wiring.place(from).id()).contains(wiring.place(to).id()),
                                what + " does not arrive");
                        }
                        assertTrue(
                            route.startup() >= 0 && route.latency() >= 0 && route.startup() + route.latency() < 1e-3,
                            what);
                    }
                }
            }
        }
    }

    /** All machines' figures are the same in both directions, and so must routes be. */
    @ParameterizedTest
    @MethodSource("wirings")
    void messagesBackAreAsFastAsMessagesThere(MachineWiring wiring) {
        int ranks = Math.min(wiring.ranks(), 40);
        for (int from = 0; from < ranks; from++) {
            for (int to = 0; to < from; to++) {
                Route there = wiring.route(from, to, LARGE);
                Route back = wiring.route(to, from, LARGE);
                String what = wiring.machine().name() + " " + from + " and " + to;
                assertEquals(alone(wiring, there), alone(wiring, back), 1, what);
                assertEquals(there.startup() + there.latency(), back.startup() + back.latency(), 1e-12, what);
                assertEquals(there.resources().length, back.resources().length, what);
            }
        }
    }

    /** Whatever was asked before: the cache may not show. */
    @ParameterizedTest
    @MethodSource("wirings")
    void theSameQuestionHasTheSameAnswer(MachineWiring wiring) {
        MachineWiring other =
            wiring.holdsDevices() ? MachineWiring.onDevices(wiring.machine()) : MachineWiring.onHosts(wiring.machine());
        Random random = new Random(3);
        for (int i = 0; i < 3000; i++) {
            wiring.route(random.nextInt(wiring.ranks()), random.nextInt(wiring.ranks()), 1L << random.nextInt(30),
                RouteChoice.values()[random.nextInt(3)]);
            int from = random.nextInt(wiring.ranks());
            int to = random.nextInt(wiring.ranks());
            long bytes = 1L << random.nextInt(30);
            Route one = wiring.route(from, to, bytes);
            Route two = other.route(from, to, bytes);
            assertArrayEquals(one.resources(), two.resources());
            assertArrayEquals(one.weights(), two.weights());
            assertEquals(one.startup(), two.startup());
            assertEquals(one.latency(), two.latency());
            assertEquals(one.most(), two.most());
        }
    }

    /** Machine, ranks, the way, GB/s alone, and whether a memory is passed. */
    @ParameterizedTest
    @CsvSource({
        "ac922, 0, 1, POLICY, 72, false", "ac922, 0, 1, HOST, 53, true", "ac922, 0, 1, PCI, 24, false",
        "ac922, 1, 2, POLICY, 28, false", "ac922, 0, 3, POLICY, 28, false",
        "ac922, 1, 2, HOST, 32, true",
        "rx1, 0, 1, POLICY, 12, false", "rx1, 0, 2, POLICY, 10, false", "rx1, 0, 4, POLICY, 12, true",
        "rx1, 0, 8, POLICY, 3.5, false", "rx1, 7, 60, POLICY, 3.5, false", "rx1, 0, 8, HOST, 6.8, true",
        "rx2, 0, 1, POLICY, 3.5, false", "rx3, 0, 1, POLICY, 12, false", "rx3, 1, 2, POLICY, 3.5, false",
        "cs-storm, 0, 3, POLICY, 12, false", "cs-storm, 0, 4, POLICY, 10, false", "cs-storm, 7, 8, POLICY, 12, true",
        "amd-v100, 0, 3, POLICY, 8.82, false", "amd-v100, 1, 2, POLICY, 12, false", "amd-v100, 0, 3, HOST, 10.07, true",
        "intel-v100, 0, 1, POLICY, 10, false", "intel-v100, 1, 2, POLICY, 2, false", "intel-v100, 1, 2, HOST, 10, true",
        "dgx-1v, 0, 3, POLICY, 48, false", "dgx-1v, 0, 1, POLICY, 24, false", "dgx-1v, 0, 5, POLICY, 12, true",
        "dgx-1v, 0, 8, POLICY, 12, false",
        "dgx-a100, 0, 7, POLICY, 240, false", "dgx-a100, 3, 12, POLICY, 24, false",
        "dgx-h100, 0, 7, POLICY, 370.8, false", "dgx-h100, 0, 8, POLICY, 48, false",
        "dgx-h200, 5, 6, POLICY, 370.8, false",
        "thesis-sisci, 0, 1, POLICY, 1.5, false", "thesis-sisci, 1, 2, POLICY, 1.5, true",
        "thesis-sockets, 1, 2, POLICY, 0.1177, true",
        "h200-x4, 0, 3, POLICY, 396, false", "h200-x4, 0, 3, HOST, 48.5, true",
        "h200-x4-kernels, 0, 3, POLICY, 369, false", "host-2core, 0, 1, POLICY, 7.3, false",
    })
    void pathsHaveTheRatesOfTheirSources(String name, int from, int to, RouteChoice via, double rate, boolean memory) {
        MachineWiring wiring = MachineWiring.of(Machines.find(name));
        Route route = wiring.route(from, to, LARGE, via);
        assertEquals(rate * 1e9, alone(wiring, route), 1e3);
        boolean passed = false;
        for (int i = 0; i < route.resources().length; i++) {
            if (wiring.name(route.resources()[i]).contains("/mem")) {
                passed = true;
                assertEquals(2, route.weights()[i], "a staged byte is written to a memory and read from it");
            }
        }
        assertEquals(memory, passed);
    }

    /**
     * The policy decides, not what the wires would carry: without a line for the distance there is no peer access over
     * it.
     */
    @Test
    void gpusReachAsFarAsThePolicySays() {
        MachineWiring rx1 = MachineWiring.of(Machines.find("rx1"));
        assertEquals(TransferKind.PEER, rx1.kind(0, 1));
        assertEquals(TransferKind.PEER, rx1.kind(0, 3));
        assertEquals(TransferKind.STAGED, rx1.kind(3, 4));
        assertEquals(TransferKind.DEVICE_NET, rx1.kind(3, 12));
        assertEquals(TransferKind.DEVICE_NET_STAGED, MachineWiring.of(Machines.find("thesis-sisci")).kind(0, 2));
        MachineWiring dgx = MachineWiring.of(Machines.find("dgx-1v"));
        for (int from = 0; from < 8; from++) {
            for (int to = 0; to < 8; to++) {
                boolean quad = from / 4 == to / 4 || to == (from + 4) % 8;
                assertTrue(from == to || dgx.kind(from, to) == (quad ? TransferKind.PEER : TransferKind.STAGED),
                    from + " to " + to);
            }
        }
    }

    /** One root complex and one X-bus for all: what is shared is a resource, what is each transfer's own is a limit. */
    @Test
    void simultaneousTransfersShareWhatTheyShare() {
        MachineWiring ac922 = MachineWiring.of(Machines.find("ac922"));
        assertArrayEquals(new double[] {14e9, 14e9, 28e9},
            FairShare.rates(ac922, ac922.route(0, 2, LARGE), ac922.route(1, 3, LARGE), ac922.route(2, 1, LARGE)), 1e3);
        MachineWiring rx1 = MachineWiring.of(Machines.find("rx1"));
        assertArrayEquals(new double[] {1.75e9, 1.75e9, 3.5e9},
            FairShare.rates(rx1, rx1.route(0, 8, LARGE), rx1.route(2, 10, LARGE), rx1.route(4, 12, LARGE)), 1e3);
        assertArrayEquals(new double[] {6e9, 6e9}, FairShare.rates(rx1, rx1.route(0, 2, LARGE), rx1.route(1, 3, LARGE)),
            1e3, "both cross the card's one link to the CPU");
        assertArrayEquals(new double[] {12e9, 12e9},
            FairShare.rates(rx1, rx1.route(0, 1, LARGE), rx1.route(1, 0, LARGE)), 1e3, "full duplex");
        MachineWiring half = MachineWiring.of(Machines.find("rx1").halfDuplex(LinkKind.PCI));
        assertArrayEquals(new double[] {6e9, 6e9},
            FairShare.rates(half, half.route(0, 1, LARGE), half.route(1, 0, LARGE)), 1e3, "half duplex");
    }

    @Test
    void adaptersAreTheNearestAndNoMoreThanThePolicyUses() {
        MachineWiring two = MachineWiring.of(Machines.find("rx1"));
        assertTrue(names(two, two.route(0, 8, LARGE)).contains("hca0 > switch")
            && names(two, two.route(7, 8, LARGE)).contains("hca1 > switch"));
        MachineWiring one = MachineWiring.of(Machines.find("rx1").with("hcas", 1));
        assertTrue(names(one, one.route(7, 8, LARGE)).contains("hca0 > switch"));
        assertEquals(0.3e9, alone(one, one.route(7, 8, LARGE)), 1, "across the sockets");
        MachineWiring dgx = MachineWiring.of(Machines.find("dgx-a100"));
        assertTrue(names(dgx, dgx.route(0, 8, LARGE)).contains("nic0 > switch")
            && names(dgx, dgx.route(1, 8, LARGE)).contains("nic1 > switch"), "two at a switch take turns");
    }

    private static String names(MachineWiring wiring, Route route) {
        StringBuilder names = new StringBuilder();
        for (int resource : route.resources()) {
            names.append(wiring.name(resource)).append("; ");
        }
        return names.toString();
    }

    @Test
    void distancesMayBeBridgedByAnotherWay() {
        MachineWiring pci = MachineWiring.of(Machines.find("ac922")).choosing(Distance.NODE, RouteChoice.PCI);
        assertEquals(24e9, alone(pci, pci.route(1, 2, LARGE)), 1e3);
        assertEquals(72e9, alone(pci, pci.route(0, 1, LARGE)), 1e3, "others as before");
        MachineWiring host = MachineWiring.of(Machines.find("intel-v100")).choosing(Distance.NODE, RouteChoice.HOST);
        assertEquals(10e9, alone(host, host.route(1, 2, LARGE)), 1e3);
        assertEquals(TransferKind.PEER, host.kind(0, 1));
    }

    @Test
    void shortMessagesGoByTheMethodForThem() {
        MachineWiring sisci = MachineWiring.onHosts(Machines.find("thesis-sisci"));
        assertEquals(0.8e-6, sisci.route(0, 2, 1 << 20).startup(), 1e-12, "stores up to 1 MiB");
        assertEquals(10.5e-6, sisci.route(0, 2, (1 << 20) + 1).startup(), 1e-12, "DMA above");
        assertEquals(31e9, alone(MachineWiring.of(Machines.find("host-2core")),
            MachineWiring.of(Machines.find("host-2core")).route(0, 1, 1 << 20)), 1);
    }

    @Test
    void copiesAndReductionsTakeTheRanksHands() {
        MachineWiring rx1 = MachineWiring.of(Machines.find("rx1"));
        assertEquals(108e9, alone(rx1, rx1.copy(5, LARGE)), 1e3);
        assertEquals(72e9, alone(rx1, rx1.reduction(5, LARGE)), 1e3);
        assertArrayEquals(new double[] {36e9, 36e9, 72e9},
            FairShare.rates(rx1, rx1.reduction(5, LARGE), rx1.reduction(5, LARGE), rx1.reduction(6, LARGE)), 1e3);
        MachineWiring host = MachineWiring.of(Machines.find("host-2core"));
        double[] rates = FairShare.rates(host, host.route(0, 1, 1 << 20), host.route(1, 0, 1 << 20));
        assertArrayEquals(new double[] {15.5e9, 15.5e9}, rates, 1e3,
            "a core that sends and receives has half for each");
    }

    @Test
    void memoriesMindACrowdWhereTheMachineSaysSo() {
        MachineWiring amd = MachineWiring.of(Machines.find("amd-v100"));
        Route one = amd.route(1, 0, LARGE, RouteChoice.HOST);
        Route two = amd.route(2, 3, LARGE, RouteChoice.HOST);
        assertArrayEquals(new double[] {10.07e9}, FairShare.rates(amd, one), 1e3);
        assertArrayEquals(new double[] {0.55 * 51.2e9 / 4, 0.55 * 51.2e9 / 4}, FairShare.rates(amd, one, two), 1e3,
            "four transfers at memory 1");
        // The same four transfers as a profile measures them.
        double measured = new SimulatedMeter(amd.machine())
            .bandwidth(TransferSet.of(Transfer.local(TransferType.GPU_WRITE_CPUMEM_KERNEL, 1, 1),
                Transfer.local(TransferType.GPU_READ_CPUMEM_KERNEL, 1, 0),
                Transfer.local(TransferType.GPU_WRITE_CPUMEM_KERNEL, 2, 1),
                Transfer.local(TransferType.GPU_READ_CPUMEM_KERNEL, 1, 3)));
        assertEquals(measured, FairShare.rates(amd, one, two)[0], 1e3, "profiles and schedules know one memory");
        MachineWiring rx1 = MachineWiring.of(Machines.find("rx1"));
        assertEquals(Integer.MAX_VALUE, rx1.crowd(0));
    }

    private static String cluster(int nodes) {
        return """
            machine tree "many nodes"
            figure n %d count "a test"
            figure leaf 16 count "a test"
            figure up 8 count "a test"
            figure over 4 ratio "a test"
            figure fast 10 GB/s "a test"
            figure soon 1 us "a test"
            node
              cpu cpu0
              memory mem0 under cpu0 rate fast latency soon
              core core0 under cpu0 rate fast latency soon
              nic nic0 under cpu0 rate fast latency soon
            end
            nodes n
            network fat-tree of nic leaf leaf spines up oversubscription over rate fast latency soon
            transfer host startup soon latency soon
            transfer host-net startup soon latency soon
            local core copy fast startup soon reduce fast startup soon
            """.formatted(nodes);
    }

    @Test
    void thousandsOfRanksOnAFatTreeAreReachedUpAndDown() {
        MachineWiring wiring = MachineWiring.of(MachineReader.read("tree.machine", cluster(5000)));
        Random random = new Random(1);
        for (int i = 0; i < 20000; i++) {
            int from = random.nextInt(5000);
            int to = random.nextInt(5000);
            if (from != to) {
                Route route = wiring.route(from, to, LARGE);
                String names = names(wiring, route);
                boolean leaf = from / 16 == to / 16;
                assertEquals(leaf ? 6 : 8, route.resources().length, names);
                assertTrue(leaf || names.contains("leaf" + from / 16 + " > spine" + to % 8)
                    && names.contains("spine" + to % 8 + " > leaf" + to / 16), names);
                assertEquals(leaf ? 10e9 : 16 * 10e9 / 4 / 8, wiring.alone(route), 1, names);
            }
        }
    }

    @Test
    void hostRanksOnGpuMachinesSitAtTheirGpusCpu() {
        MachineWiring wiring = MachineWiring.onHosts(Machines.find("rx1"));
        assertEquals(64, wiring.ranks());
        assertEquals("node0/cpu0", wiring.place(3).path());
        assertEquals("node0/cpu1", wiring.place(4).path());
        assertEquals(6.8e9, alone(wiring, wiring.route(0, 8, LARGE)), 1e3);
        assertTrue(names(wiring, wiring.route(0, 8, LARGE)).contains("node1/mem0"));
    }

    @Test
    void machinesWithoutGpusHaveNoDeviceRanks() {
        assertTrue(
            assertThrows(IllegalArgumentException.class, () -> MachineWiring.onDevices(Machines.find("host-2core")))
                .getMessage().contains("host memory"));
    }

    @Test
    void machinesAreFoundWhereNetworksAreNamed() {
        assertEquals(64, NamedWirings.find("rx1").ranks());
        assertTrue(names((MachineWiring) NamedWirings.find("rx1:host"), NamedWirings.find("rx1:host").route(0, 8, 1))
            .contains("mem0"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> NamedWirings.find("rx9")).getMessage()
            .contains("ac922"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> NamedWirings.find("/none/such.machine"))
            .getMessage().contains("cannot be read"));
    }
}

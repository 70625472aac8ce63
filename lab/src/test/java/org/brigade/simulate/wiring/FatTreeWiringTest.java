package org.brigade.simulate.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.brigade.pattern.Levels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FatTreeWiringTest {
    private static String start(RoutingModel wiring, int resource) {
        return wiring.name(resource).split(" > ")[0];
    }

    private static String end(RoutingModel wiring, int resource) {
        return wiring.name(resource).split(" > ")[1];
    }

    @ParameterizedTest
    @CsvSource({"16, 1, 4", "10, 1, 4", "1, 1, 4", "36, 2, 6", "48, 3, 8", "100, 7, 8"})
    void everyWayIsAPathOfWiresFromHostToHost(int hosts, int ratio, int radix) {
        FatTreeWiring wiring = new FatTreeWiring(hosts, ratio, radix);
        for (int from = 0; from < hosts; from++) {
            for (int to = 0; to < hosts; to++) {
                if (from == to) {
                    continue;
                }
                String at = "host" + from;
                for (int resource : wiring.route(from, to, 1).resources()) {
                    assertTrue(resource >= 0 && resource < wiring.resources());
                    assertEquals(at, start(wiring, resource), "host" + from + " to host" + to);
                    at = end(wiring, resource);
                }
                assertEquals("host" + to, at, "from host" + from);
            }
        }
    }

    @Test
    void namesAreUnique() {
        FatTreeWiring wiring = new FatTreeWiring(100, 1, 12);
        assertEquals(wiring.resources(),
            java.util.stream.IntStream.range(0, wiring.resources()).mapToObj(wiring::name).distinct().count());
    }

    @Test
    void shiftsAreFreeOfConflictsInAFullTree() {
        // What routing by destination is for: in a full tree without oversubscription no shift of all ranks shares a
        // wire.
        FatTreeWiring wiring = new FatTreeWiring(54, 1, 6);
        for (int shift = 1; shift < 54; shift++) {
            for (double rate : shifted(wiring, 54, shift)) {
                assertEquals(12.5e9, rate, 1, "shift " + shift);
            }
        }
    }

    @Test
    void oversubscriptionTakesItsRatioFromWhatLeavesTheLeaf() {
        // 5 ports: 4 hosts and one link up for a leaf.
        FatTreeWiring wiring = new FatTreeWiring(48, 4, 6);
        for (double rate : shifted(wiring, 48, 4)) {
            assertEquals(12.5e9 / 4, rate, 1);
        }
        assertEquals(4, wiring.route(0, 4, 1).resources().length, "another leaf of the pod");
        assertEquals(6, wiring.route(0, 12, 1).resources().length, "another pod");
        assertEquals(2, wiring.route(0, 3, 1).resources().length, "the same leaf");
    }

    @Test
    void algorithmsAreToldOfLeavesAndPods() {
        Levels levels = new FatTreeWiring(48, 4, 6).wires(30, 1).levels();
        assertEquals(2, levels.count());
        assertTrue(levels.group(0, 3) == levels.group(0, 0) && levels.group(0, 4) != levels.group(0, 0),
            "4 hosts a leaf");
        assertTrue(levels.group(1, 11) == levels.group(1, 0) && levels.group(1, 12) != levels.group(1, 0),
            "3 leaves a pod");
        assertEquals(0, new FatTreeWiring(48, 4, 6).wires(4, 1).levels().count(), "one leaf says nothing");
    }

    private static double[] shifted(RoutingModel wiring, int hosts, int shift) {
        Route[] routes = new Route[hosts];
        for (int host = 0; host < hosts; host++) {
            routes[host] = wiring.route(host, (host + shift) % hosts, 1);
        }
        return FairShare.rates(wiring, routes);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
        value = {"hypercube:8 | there is no topology 'hypercube:8'; name one of ideal:RANKS",
            "ideal | there is no topology 'ideal'",
            "ideal:0 | '''0'' is no number of ranks from 1 to 1048576'", "ideal:99999999999 | is no number of ranks",
            "ideal:1:2 | there is no topology", "fat-tree:x | '''x'' is no number of hosts'",
            "fat-tree:8:0 | '''0'' is no ratio'", "fat-tree:8:1:5 | ports must be even",
            "fat-tree:8:6:6 | and the ratio from 1 to ports - 1",
            "fat-tree:20000 | has 1 to 11664 hosts, not 20000; take switches with more ports"})
    void aWrongNameIsAnsweredByWhatThereIs(String name, String expected) {
        String complaint = assertThrows(IllegalArgumentException.class, () -> NamedWirings.find(name)).getMessage();
        assertTrue(complaint.contains(expected), complaint);
    }
}

package org.brigade.topology.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.brigade.simulate.wiring.MachineWiring;
import org.brigade.simulate.wiring.Route;
import org.brigade.topology.TopologyException;
import org.brigade.topology.discovery.Discovery;
import org.brigade.topology.figure.Figure;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;
import org.brigade.topology.nccl.NcclTopology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topologies as machine files, which the reader of those must take for the same machine. */
class MachineWriterTest {
    private static Topology file(String name) {
        return NcclTopology.read(NcclTopology.class.getResourceAsStream(name), name).topology();
    }

    private static Machine machine(Topology topology, int nodes) {
        return MachineReader.read("t.machine", MachineWriter.write(topology, nodes));
    }

    /** Kind, ends by name, rates rounded to a byte/s: how often it is there. */
    private static Map<String, Integer> links(Topology topology) {
        Map<String, Integer> found = new HashMap<>();
        for (TopologyLink link : topology.links()) {
            String a = topology.component(link.a()).name();
            String b = topology.component(link.b()).name();
            boolean ordered = a.compareTo(b) < 0;
            int first = ordered ? link.a() : link.b();
            found.merge(link.kind() + " " + (ordered ? a + " " + b : b + " " + a) + " "
                + Math.round(link.rateFrom(first)) + " " + Math.round(link.rateFrom(link.other(first))), 1,
                Integer::sum);
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(strings = {"k2200-dolphin.xml", "stub-8gpu.xml", "dump-8h100.xml", "ac922.xml", "rccl-4gpu.xml"})
    void everyComponentAndLinkIsInTheFileAndMemoryIsAdded(String name) {
        Topology topology = file(name);
        Topology written = machine(topology, 1).topology();
        Map<String, Integer> links = links(written);
        links.keySet().removeIf(link -> link.startsWith("MEMORY"));
        assertEquals(links(topology), links);
        int cpus = topology.of(ComponentKind.CPU).size();
        assertEquals(cpus, written.of(ComponentKind.MEMORY).size());
        assertEquals(topology.components().size() + cpus, written.components().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"k2200-dolphin.xml", "stub-8gpu.xml", "dump-8h100.xml", "ac922.xml", "rccl-4gpu.xml"})
    void severalSuchNodesAreLinkedAndAllRanksReachEachOther(String name) {
        MachineWiring wiring = MachineWiring.of(machine(file(name), 2));
        assertEquals(2 * file(name).of(ComponentKind.GPU).size(), wiring.ranks());
        for (int from = 0; from < wiring.ranks(); from++) {
            for (int to = 0; to < wiring.ranks(); to++) {
                if (from != to) {
                    Route route = wiring.route(from, to, 1 << 20);
                    assertTrue(route.resources().length > 0, from + " to " + to);
                }
            }
        }
    }

    @Test
    void thisMachineCanBeSimulated() {
        Topology here = Discovery.thisMachine().topology();
        Machine machine = machine(here, 1);
        assertEquals(here.components().size(), machine.topology().components().size());
        assertTrue(MachineWiring.of(machine).ranks() >= 1);
    }

    @Test
    void whatNobodyMeasuredOrSpecifiedIsAnEstimate() {
        Map<String, Figure> figures = machine(file("dump-8h100.xml"), 2).figures();
        for (Figure figure : figures.values()) {
            boolean known = figure.source().startsWith("NCCL") || figure.source().startsWith("the adapter's")
                || figure.source().startsWith("as asked") || figure.source().startsWith("contained");
            assertEquals(!known, figure.estimate(), figure.toString());
        }
        assertEquals(370.8e9, figures.get("nvlink").value(), 1);
        assertEquals(40e9, figures.get("root").value(), 1, "48 GB/s, and Intel's 6/5");
        assertEquals(50e9, figures.get("net").value(), 1);
        assertTrue(machine(file("rccl-4gpu.xml"), 2).figures().get("net").estimate(), "an adapter that says -1");
        assertFalse(machine(file("rccl-4gpu.xml"), 2).figures().containsKey("root"),
            "AMD's root complexes cost peers nothing");
    }

    @Test
    void namesAreMadeOfWhatNamesMayHave() {
        for (String name : new String[] {"/some/Path with \"blanks\".xml", "8gpus", "", "x".repeat(100), "#"}) {
            Topology.Builder builder = new Topology.Builder(name.isEmpty() ? "-" : name);
            builder.add(ComponentKind.CPU, 0, "cpu0");
            assertEquals(1, MachineWiring.of(machine(builder.build(), 1)).ranks(), name);
        }
    }

    @Test
    void whatNoMachineFileCanSayIsRefused() {
        Topology.Builder two = new Topology.Builder("two");
        two.add(ComponentKind.CPU, 0, "cpu0");
        assertTrue(assertThrows(TopologyException.class, () -> MachineWriter.write(two.build(), 2)).getMessage()
            .contains("no adapter"));
        two.add(ComponentKind.CPU, 1, "cpu0");
        assertTrue(assertThrows(TopologyException.class, () -> MachineWriter.write(two.build(), 1)).getMessage()
            .contains("has 2 nodes"));
    }
}

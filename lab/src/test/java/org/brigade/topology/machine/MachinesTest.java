package org.brigade.topology.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.brigade.topology.figure.Figure;
import org.brigade.topology.figure.MachineFormatException;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MachinesTest {
    static List<String> names() {
        return Machines.names();
    }

    @Test
    void everyFileThatIsShippedIsListedAndTheOtherWayRound() throws Exception {
        Path folder = Path.of(Machines.class.getResource("/org/brigade/machines/rx1.machine").toURI()).getParent();
        TreeSet<String> files = new TreeSet<>();
        try (var paths = Files.list(folder)) {
            paths.forEach(path -> files.add(path.getFileName().toString().replace(".machine", "")));
        }
        assertEquals(files, new TreeSet<>(Machines.names()));
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyMachineReadsAndEveryNumberHasASource(String name) {
        Machine machine = Machines.find(name);
        assertEquals(name, machine.name());
        assertTrue(machine.figures().size() > 5, machine.toString());
        for (Figure figure : machine.figures().values()) {
            assertTrue(figure.source().length() > 8, name + " line " + figure.line() + ": " + figure);
        }
    }

    /** What is marked as known says who knows; a guess may not pass for a fact. */
    @ParameterizedTest
    @MethodSource("names")
    void whatIsNoEstimateNamesWhereItIsFrom(String name) {
        for (Figure figure : Machines.find(name).figures().values()) {
            boolean named = false;
            for (String source : List.of("Cubedo", "Temucin", "Xin", "NCCL", "TCCL", "data sheet", "InfiniBand",
                "IBM redpaper", "measured", "forum", "sisci-perf", "1 Gbit/s", "PCIe 2.0", "contained")) {
                named |= figure.source().contains(source);
            }
            assertTrue(figure.estimate() || named, name + " line " + figure.line() + ": " + figure);
            assertTrue(
                figure.estimate() || !figure.source().contains("ours") && !figure.source().contains("taken to hold"),
                name + " line " + figure.line() + ": " + figure);
        }
    }

    @ParameterizedTest
    @CsvSource({"rx1, 8, 8, 2", "rx2, 16, 1, 1", "rx3, 16, 2, 1", "cs-storm, 4, 16, 2", "ac922, 1, 4, 0",
        "amd-v100, 4, 4, 1", "intel-v100, 4, 4, 1", "dgx-1v, 4, 8, 4", "dgx-a100, 4, 8, 8",
        "dgx-h100, 4, 8, 8", "dgx-h200, 4, 8, 8", "thesis-sisci, 2, 2, 1", "thesis-sockets, 2, 2, 1",
        "h200-x4, 1, 4, 0", "h200-x4-kernels, 1, 4, 0", "host-2core, 1, 0, 0"})
    void machinesHaveTheNodesGpusAndAdaptersOfTheirSources(String name, int nodes, int gpus, int adapters) {
        Topology topology = Machines.find(name).topology();
        assertEquals(nodes, topology.nodes(), "nodes");
        for (int node = 0; node < nodes; node++) {
            assertEquals(gpus, topology.of(ComponentKind.GPU, node).size(), "GPUs");
            assertEquals(adapters,
                topology.of(ComponentKind.NIC, node).size() + topology.of(ComponentKind.NTB, node).size(), "adapters");
        }
    }

    /** Six NVLinks out of every V100, as the card has. */
    @Test
    void dgx1vHasTheHybridCubeMesh() {
        Topology topology = Machines.find("dgx-1v").topology();
        String[] twice = {"0-3", "0-4", "1-2", "1-5", "2-3", "4-7", "5-6", "6-7"};
        String[] once = {"0-1", "0-2", "1-3", "2-6", "3-7", "4-5", "4-6", "5-7"};
        int[][] expected = new int[8][8];
        for (String pair : twice) {
            expected[pair.charAt(0) - '0'][pair.charAt(2) - '0'] = 2;
        }
        for (String pair : once) {
            expected[pair.charAt(0) - '0'][pair.charAt(2) - '0'] = 1;
        }
        int[][] found = new int[8][8];
        int[] degree = new int[8];
        for (TopologyLink link : topology.links()) {
            if (link.kind() == LinkKind.NVLINK && topology.component(link.a()).node() == 0) {
                int a = topology.component(link.a()).name().charAt(3) - '0';
                int b = topology.component(link.b()).name().charAt(3) - '0';
                int count = (int) Math.round(link.forward() / 24e9);
                found[Math.min(a, b)][Math.max(a, b)] += count;
                degree[a] += count;
                degree[b] += count;
            }
        }
        assertTrue(java.util.Arrays.deepEquals(expected, found), java.util.Arrays.deepToString(found));
        assertEquals("[6, 6, 6, 6, 6, 6, 6, 6]", java.util.Arrays.toString(degree));
    }

    @Test
    void tcclsMachinesHaveTheirGpusWhereTcclHasThem() {
        assertEquals("mem3 mem1 mem1 mem0", memories("amd-v100"));
        assertEquals("mem0 mem0 mem2 mem2", memories("intel-v100"));
    }

    private static String memories(String name) {
        Machine machine = Machines.find(name);
        StringBuilder found = new StringBuilder();
        for (Component gpu : machine.topology().of(ComponentKind.GPU, 2)) {
            found.append(found.isEmpty() ? "" : " ")
                .append(machine.topology().component(machine.locality().memoryOf(gpu.id())).name());
        }
        return found.toString();
    }

    @Test
    void unknownNamesAndPathsAreToldWithACure(@TempDir Path folder) throws IOException {
        assertTrue(
            assertThrows(IllegalArgumentException.class, () -> Machines.find("rx9")).getMessage().contains("rx1"));
        assertTrue(
            assertThrows(IllegalArgumentException.class, () -> Machines.find(folder.resolve("none.machine").toString()))
                .getMessage().contains("cannot be read"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Machines.find("/dev/zero")).getMessage()
            .contains("more than"));
        Path file = folder.resolve("mine.machine");
        Files.writeString(file, "machine mine\n");
        assertTrue(assertThrows(MachineFormatException.class, () -> Machines.find(file.toString())).getMessage()
            .startsWith(file + ":1: "));
    }
}

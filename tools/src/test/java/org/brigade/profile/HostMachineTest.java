package org.brigade.profile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.brigade.nativ.Affinity;
import org.brigade.nativ.Libc;
import org.brigade.topology.profile.NodeLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostMachineTest {
    @TempDir
    Path system;

    private void file(String path, String text) throws Exception {
        Path file = system.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    /**
     * Two sockets of four cores with two threads each; pairs of cores share a cache. The kernel numbers their NUMA
     * nodes 0 and 2; node 1 has processors without memory.
     */
    private HostMachine twoSockets() throws Exception {
        file("node/has_memory", "0,2");
        file("node/node0/cpulist", "0-3,8-11");
        file("node/node2/cpulist", "4-7,12-15");
        file("node/node0/distance", "10 15 21");
        file("node/node2/distance", "21 15 10");
        for (int cpu = 0; cpu < 16; cpu++) {
            int core = cpu % 8;
            file("cpu/cpu" + cpu + "/topology/thread_siblings_list", core + "," + (core + 8));
            int pair = core / 2 * 2;
            file("cpu/cpu" + cpu + "/cache/index3/shared_cpu_list",
                pair + "-" + (pair + 1) + "," + (pair + 8) + "-" + (pair + 9));
        }
        return new HostMachine(system);
    }

    @Test
    void whatTheKernelSaysIsRead() throws Exception {
        HostMachine machine = twoSockets();
        assertEquals(2, machine.numaNodes());
        assertEquals(1, machine.indexOf(2));
        assertEquals(0, machine.indexOf(-1));
        assertEquals(1, machine.numaOf(13));
        assertArrayEquals(new int[][] {{10, 21}, {21, 10}}, machine.distances());
        assertEquals(0, machine.apart(3, 11), "threads of a core");
        assertEquals(1, machine.apart(2, 3), "a cache");
        assertEquals(2, machine.apart(1, 2), "no more than memory");
    }

    @Test
    void processorsAreSpreadOverNumaNodesThenCachesThenCores() throws Exception {
        BitSet all = new BitSet();
        all.set(0, 16);
        assertEquals(List.of(0, 4, 2, 6), twoSockets().spread(all, 4));
        assertEquals(List.of(0, 4, 2, 6, 1, 5, 3, 7), twoSockets().spread(all, 100), "no core twice");
        all.clear(0, 4);
        assertEquals(List.of(8, 4, 10), twoSockets().spread(all, 3), "only those allowed");
    }

    @Test
    void processorsThatShareACacheAreNotLikeOthers() throws Exception {
        NodeLayout layout = MachineLayout.ofProcessors(twoSockets(), List.of(0, 1, 2, 4));
        assertArrayEquals(new int[] {0, 0, 0, 1}, layout.numaOfGpu());
        assertEquals(layout.gpuRelation()[0][2], layout.gpuRelation()[1][2]);
        assertTrue(layout.gpuRelation()[0][1] != layout.gpuRelation()[0][2]);
    }

    @Test
    void aMachineThatSaysNothingHasOneNumaNode() {
        HostMachine machine = new HostMachine(system.resolve("nowhere"));
        assertEquals(1, machine.numaNodes());
        assertEquals(0, machine.numaOf(5));
        assertArrayEquals(new int[][] {{0}}, machine.distances());
    }

    @Test
    void gpusThatTheKernelDoesNotKnowAreToldApartByTheirLinks() {
        HostMachine machine = new HostMachine(system.resolve("nowhere"));
        String[][] links = {{"", "NVLink", "PCIe"}, {"NVLink", "", "NVLink"}, {"PCIe", "NVLink", ""}};
        NodeLayout layout = MachineLayout.ofGpus(machine, List.of("ffff:01:00.0", "ffff:02:00.0", "ffff:03:00.0"),
            new boolean[3][3], links);
        assertEquals(layout.gpuRelation()[0][1], layout.gpuRelation()[1][2]);
        assertTrue(layout.gpuRelation()[0][1] != layout.gpuRelation()[0][2]);
        assertEquals(0, layout.numaOfGpu()[2]);
    }

    /** A GPU in a slot of so many lanes, behind a bridge of the same. */
    private Path slot(int number, int lanes) throws IOException {
        Path bridge = system.resolve("devices/pci0000:00/0000:00:0" + number + ".0");
        Path gpu = Files.createDirectories(bridge.resolve("0000:0" + number + ":00.0"));
        for (Path device : List.of(bridge, gpu)) {
            Files.writeString(device.resolve("current_link_width"), lanes + "\n");
            Files.writeString(device.resolve("max_link_speed"), "8.0 GT/s PCIe\n");
        }
        return Files.createSymbolicLink(Files.createDirectories(system.resolve("bus")).resolve(gpu.getFileName()), gpu);
    }

    @Test
    void aSlotOfFourLanesIsNotLikeOneOfSixteen() throws IOException {
        List<String> gpus = List.of(slot(1, 4).getFileName().toString(), slot(2, 16).getFileName().toString(),
            slot(3, 16).getFileName().toString());
        String[][] links = {{"", "PCIe", "PCIe"}, {"PCIe", "", "PCIe"}, {"PCIe", "PCIe", ""}};
        int[][] relation = MachineLayout
            .ofGpus(new HostMachine(system.resolve("nowhere")), system.resolve("bus"), gpus, new boolean[3][3], links)
            .gpuRelation();
        assertTrue(relation[0][0] != relation[1][1], "to host memory");
        assertEquals(relation[1][1], relation[2][2]);
        assertTrue(relation[0][1] != relation[1][0], "one way, and back");
        assertTrue(relation[0][1] != relation[1][2]);
        assertEquals(relation[1][2], relation[2][1]);
    }

    @Test
    void aNumaNodeWithFewerDimmsIsNotLikeTheOthers() throws IOException {
        for (int numa = 0; numa < 3; numa++) {
            Path node = Files.createDirectories(system.resolve("node/node" + numa));
            Files.writeString(node.resolve("cpulist"), 2 * numa + "-" + (2 * numa + 1));
            Files.writeString(node.resolve("meminfo"),
                "Node " + numa + " MemTotal:       " + (numa == 2 ? 65_000_000 : 131_000_000 + 100 * numa) + " kB\n");
        }
        Files.writeString(system.resolve("node/has_memory"), "0-2\n");
        int[][] relation = MachineLayout.ofProcessors(new HostMachine(system), List.of(0, 2, 4)).numaRelation();
        assertEquals(relation[0][0], relation[1][1]);
        assertTrue(relation[0][0] != relation[2][2]);
    }

    @Test
    void memoryLiesOnTheNodeThatHasMostOfItsPages() {
        List<String> maps = List.of("7f0000000000 default anon=3 N0=3",
            "7f0000100000 default file=/dev/shm/x N1=12 N0=500 kernelpagesize_kB=4", "7f0000200000 default",
            "7f0000300000 bind:1 N1=7");
        assertEquals(0, NumaMemory.nodeOf(0x7f0000180000L, maps));
        assertEquals(-1, NumaMemory.nodeOf(0x7f0000280000L, maps));
        assertEquals(1, NumaMemory.nodeOf(0x7f0000300000L, maps));
        assertEquals(-1, NumaMemory.nodeOf(0x10L, maps));
    }

    @Test
    void memoryIsMadeOnItsNumaNodeAndTheThreadComesBack() {
        BitSet before = Affinity.current();
        HostMachine machine = new HostMachine();
        int last = machine.numaNodes() - 1;
        java.nio.ByteBuffer memory = NumaMemory.allocate(machine, last, 1 << 20);
        assertEquals(before, Affinity.current());
        int node = NumaMemory.nodeOf(Libc.address(memory));
        assertTrue(node < 0 || machine.indexOf(node) == last, "on node " + node);
    }
}

package org.brigade.topology.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.brigade.pattern.Levels;
import org.brigade.topology.machine.Machines;
import org.junit.jupiter.api.Test;

class TopologyLevelsTest {
    /** A cluster of nodes that are all alike; {@code underLeaf} of them on each leaf switch. */
    private static final class Cluster {
        final Topology.Builder builder = new Topology.Builder("t");
        final List<Component> leaves = new ArrayList<>();

        Component cpu(int node, int number) {
            return builder.add(ComponentKind.CPU, node, "cpu" + number);
        }

        Component below(Component above, LinkKind link, ComponentKind kind, String name) {
            Component component = builder.add(kind, above.node(), name);
            builder.link(link, above, component, 1e9, 0);
            return component;
        }

        void plug(Component cpu, int leaf) {
            while (leaves.size() <= leaf) {
                leaves.add(builder.add(ComponentKind.SWITCH, Component.NETWORK, "leaf" + leaves.size()));
            }
            builder.link(LinkKind.NETWORK, below(cpu, LinkKind.PCI, ComponentKind.NIC, "nic"), leaves.get(leaf), 1e9,
                0);
        }
    }

    private static Levels levels(Topology topology, ComponentKind kind) {
        return TopologyLevels.of(topology, new Locality(topology),
            topology.of(kind).stream().mapToInt(Component::id).toArray());
    }

    private static Levels expected(int[]... groups) {
        return new Levels(groups);
    }

    /**
     * Each node: a CPU with a cache of two cores and a core of its own, and a CPU with a PCIe switch of two GPUs and a
     * GPU of its own.
     */
    private static Topology cluster(int nodes, int underLeaf) {
        Cluster cluster = new Cluster();
        for (int node = 0; node < nodes; node++) {
            Component cores = cluster.cpu(node, 0);
            Component gpus = cluster.cpu(node, 1);
            cluster.builder.link(LinkKind.CPU, cores, gpus, 1e9, 0);
            Component cache = cluster.below(cores, LinkKind.CHIP, ComponentKind.CACHE, "cache0");
            cluster.below(cache, LinkKind.CHIP, ComponentKind.CORE, "core0");
            cluster.below(cache, LinkKind.CHIP, ComponentKind.CORE, "core1");
            cluster.below(cores, LinkKind.CHIP, ComponentKind.CORE, "core2");
            Component pci = cluster.below(gpus, LinkKind.PCI, ComponentKind.PCI_SWITCH, "pci0");
            Component first = cluster.below(pci, LinkKind.PCI, ComponentKind.GPU, "gpu0");
            cluster.below(pci, LinkKind.PCI, ComponentKind.GPU, "gpu1");
            cluster.builder.link(LinkKind.NVLINK, first, cluster.below(gpus, LinkKind.PCI, ComponentKind.GPU, "gpu2"),
                9e9, 0);
            cluster.plug(cores, node / underLeaf);
        }
        return cluster.builder.build();
    }

    @Test
    void coresAreGroupedByCacheThenNodeThenLeafSwitch() {
        assertEquals(
            expected(new int[] {0, 0, 1, 2, 2, 3, 4, 4, 5, 6, 6, 7}, new int[] {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3},
                new int[] {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}),
            levels(cluster(4, 2), ComponentKind.CORE));
    }

    @Test
    void gpusAreGroupedByNodeWhateverPciSwitchTheyAreOn() {
        assertEquals(expected(new int[] {0, 0, 0, 1, 1, 1}), levels(cluster(2, 2), ComponentKind.GPU));
    }

    @Test
    void coresAndGpusOfOneNodeAreGroupedByTheirCpus() {
        Topology topology = cluster(1, 1);
        int[] ranks = {topology.of(ComponentKind.GPU).get(2).id(), topology.of(ComponentKind.CORE).get(0).id(),
            topology.of(ComponentKind.GPU).get(0).id(),
            topology.of(ComponentKind.CORE).get(1).id()};
        assertEquals(expected(new int[] {0, 1, 0, 1}), TopologyLevels.of(topology, new Locality(topology), ranks));
    }

    @Test
    void levelsThatSayNothingAreLeftOut() {
        assertEquals(Levels.NONE, TopologyLevels.of(cluster(1, 1), new Locality(cluster(1, 1)), new int[0]));
        Topology topology = cluster(2, 1);
        Locality locality = new Locality(topology);
        List<Component> cores = topology.of(ComponentKind.CORE);
        assertEquals(Levels.NONE,
            TopologyLevels.of(topology, locality, new int[] {cores.get(0).id(), cores.get(3).id()}), "each alone");
        assertEquals(Levels.NONE,
            TopologyLevels.of(topology, locality, new int[] {cores.get(0).id(), cores.get(1).id()}),
            "all in one cache");
        assertEquals(expected(new int[] {0, 0, 1}),
            TopologyLevels.of(topology, locality, new int[] {cores.get(0).id(), cores.get(1).id(), cores.get(3).id()}),
            "cache, CPU, node and switch all say the same");
    }

    @Test
    void ranksThatShareACoreShareAllGroups() {
        Topology topology = cluster(3, 2);
        Locality locality = new Locality(topology);
        List<Component> seats = new ArrayList<>(topology.of(ComponentKind.CORE));
        seats.addAll(topology.of(ComponentKind.GPU));
        Random random = new Random(7);
        for (int round = 0; round < 500; round++) {
            int[] ranks = random.ints(random.nextInt(12), 0, seats.size()).map(seat -> seats.get(seat).id()).toArray();
            Levels levels = TopologyLevels.of(topology, locality, ranks); // whose constructor refuses levels that are
                                                                          // not nested
            for (int level = 0; level < levels.count(); level++) {
                for (int a = 0; a < ranks.length; a++) {
                    for (int b = 0; b < a; b++) {
                        if (ranks[a] == ranks[b]) {
                            assertEquals(levels.group(level, a), levels.group(level, b),
                                levels + " of " + java.util.Arrays.toString(ranks));
                        }
                    }
                }
            }
        }
    }

    @Test
    void aKnownMachinesGpusAreGroupedBySocketAndNode() {
        Levels levels = levels(Machines.find("rx1").topology(), ComponentKind.GPU);
        assertEquals(2, levels.count());
        assertEquals(16, levels.groups(0), "two sockets a node");
        assertEquals(8, levels.groups(1));
    }
}

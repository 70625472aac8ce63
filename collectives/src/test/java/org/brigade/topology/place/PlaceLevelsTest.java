package org.brigade.topology.place;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.brigade.topology.Component;
import org.brigade.topology.ComponentKind;
import org.brigade.topology.CpuSet;
import org.brigade.topology.LinkKind;
import org.brigade.topology.Locality;
import org.brigade.topology.Topology;
import org.junit.jupiter.api.Test;

class PlaceLevelsTest {
    private static int[][] groups(int[]... places) {
        List<RankPlace> all = new ArrayList<>();
        for (int[] place : places) {
            all.add(new RankPlace(place[0], place[1], place[2], place[3]));
        }
        return PlaceLevels.groups(all);
    }

    private static void expect(int[][] found, int[]... levels) {
        assertArrayEquals(levels, found, () -> java.util.Arrays.deepToString(found));
    }

    @Test
    void cacheCpuAndNodeAreLevelsFromTheInsideOut() {
        expect(groups(new int[] {-1, 0, 0, 1}, new int[] {-1, 0, 0, 1}, new int[] {-1, 0, 0, 2}, new int[] {-1, 0, 5, 6}, new int[] {-1, 1, 0, 1}, new int[] {-1, 1, 0, 1}),
            new int[] {0, 0, 1, 2, 3, 3}, new int[] {0, 0, 0, 1, 2, 2}, new int[] {0, 0, 0, 0, 1, 1});
    }

    @Test
    void levelsThatSayNothingAreLeftOut() {
        expect(groups()); // no ranks
        expect(groups(new int[] {-1, 0, 0, 0}));
        expect(groups(new int[] {-1, 0, 0, 0}, new int[] {-1, 0, 0, 0})); // one group
        expect(groups(new int[] {-1, 0, 0, 0}, new int[] {-1, 1, 0, 0})); // each alone
        expect(groups(new int[] {-1, 0, 0, 7}, new int[] {-1, 0, 0, 7}, new int[] {-1, 0, 1, 8}, new int[] {-1, 0, 1, 8}), new int[] {0, 0, 1, 1}); // a cache a CPU
        expect(groups(new int[] {3, 0, -1, -1}, new int[] {3, 0, -1, -1}, new int[] {3, 1, -1, -1}), new int[] {0, 0, 1}); // nobody is bound
    }

    @Test
    void nodesUnderOneSwitchAreALevelOutside() {
        expect(groups(new int[] {9, 0, -1, -1}, new int[] {9, 1, -1, -1}, new int[] {8, 2, -1, -1}, new int[] {8, 2, -1, -1}), new int[] {0, 1, 2, 2}, new int[] {0, 0, 1, 1});
    }

    @Test
    void numbersMeanTheirNodesOwnThings() {
        expect(groups(new int[] {-1, 0, 4, -1}, new int[] {-1, 1, 4, -1}, new int[] {-1, 0, 4, -1}, new int[] {-1, 0, 5, -1}), new int[] {0, 1, 0, 2}, new int[] {0, 1, 0, 0});
    }

    @Property
    void levelsAreNestedAndAllDifferent(@ForAll("places") List<RankPlace> places) {
        int[][] levels = PlaceLevels.groups(places);
        for (int level = 0; level < levels.length; level++) {
            for (int a = 0; a < places.size(); a++) {
                for (int b = 0; b < a; b++) {
                    if (level + 1 < levels.length && levels[level][a] == levels[level][b]) {
                        assertEquals(levels[level + 1][a], levels[level + 1][b], "ranks " + a + " and " + b + " at level " + level);
                    }
                    boolean alike = places.get(a).equals(places.get(b));
                    assertTrue(!alike || levels[level][a] == levels[level][b], "ranks " + a + " and " + b + " are at one place, but not of one group at level " + level);
                }
            }
            assertTrue(level == 0 || !java.util.Arrays.equals(levels[level], levels[level - 1]));
        }
        assertTrue(levels.length <= 4);
    }

    @Provide
    Arbitrary<List<RankPlace>> places() {
        // A node has one switch, and a cache one CPU.
        Arbitrary<Integer> few = Arbitraries.integers().between(-1, 2);
        return Combinators.combine(Arbitraries.integers().between(0, 5), few, few).as((node, cpu, near) -> new RankPlace(node / 2, node, cpu, cpu < 0 ? -1 : near + 3 * cpu)).list().ofMaxSize(20);
    }

    /** Two nodes of two CPUs: one with a PCIe switch of two GPUs and a GPU of its own, one with a cache of two cores. */
    private static Topology cluster() {
        Topology.Builder builder = new Topology.Builder("t");
        Component[] leaf = {builder.add(ComponentKind.SWITCH, Component.NETWORK, "leaf0"), builder.add(ComponentKind.SWITCH, Component.NETWORK, "leaf1")};
        for (int node = 0; node < 2; node++) {
            Component gpus = builder.add(ComponentKind.CPU, node, "cpu0", Map.of("cpus", "0-3"));
            Component cores = builder.add(ComponentKind.CPU, node, "cpu1", Map.of("cpus", "4-7"));
            builder.link(LinkKind.CPU, gpus, cores, 1e9, 0);
            Component pci = builder.add(ComponentKind.PCI_SWITCH, node, "pci0");
            builder.link(LinkKind.PCI, gpus, pci, 1e9, 0);
            for (int gpu = 0; gpu < 3; gpu++) {
                builder.link(LinkKind.PCI, gpu < 2 ? pci : gpus, builder.add(ComponentKind.GPU, node, "gpu" + gpu), 1e9, 0);
            }
            Component cache = builder.add(ComponentKind.CACHE, node, "cache0", Map.of("cpus", "4-5"));
            builder.link(LinkKind.CHIP, cores, cache, 1e9, 0);
            builder.link(LinkKind.CHIP, cache, builder.add(ComponentKind.CORE, node, "core4", Map.of("cpus", "4")), 1e9, 0);
            builder.link(LinkKind.CHIP, cache, builder.add(ComponentKind.CORE, node, "core5", Map.of("cpus", "5")), 1e9, 0);
            builder.link(LinkKind.CHIP, cores, builder.add(ComponentKind.CORE, node, "core6", Map.of("cpus", "6")), 1e9, 0);
            Component nic = builder.add(ComponentKind.NIC, node, "nic0");
            builder.link(LinkKind.PCI, pci, nic, 1e9, 0);
            builder.link(LinkKind.NETWORK, nic, leaf[node], 1e9, 0);
        }
        return builder.build();
    }

    @Test
    void placesOnAClusterAreThoseOfGpusAndCores() {
        Topology topology = cluster();
        Locality locality = new Locality(topology);
        List<RankPlace> places = new ArrayList<>();
        for (Component component : topology.components()) {
            if (component.kind() == ComponentKind.GPU || component.kind() == ComponentKind.CORE) {
                places.add(RankPlace.at(topology, locality, component.id()));
            }
        }
        expect(PlaceLevels.groups(places), new int[] {0, 0, 1, 2, 2, 3, 4, 4, 5, 6, 6, 7}, new int[] {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}, new int[] {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1});
        assertTrue(places.get(0).network() >= 0 && places.get(0).network() != places.get(11).network());
    }

    @Test
    void aProcessIsAsDeepAsOneCacheOrCpuHasAllItsProcessors() {
        Topology topology = cluster();
        Component cpu = topology.of(ComponentKind.CPU, 0).get(1);
        Component cache = topology.of(ComponentKind.CACHE, 0).get(0);
        assertEquals(new RankPlace(-1, 7, cpu.id(), cache.id()), RankPlace.on(topology, CpuSet.of(4, 5), 7));
        assertEquals(new RankPlace(-1, 7, cpu.id(), -1), RankPlace.on(topology, CpuSet.of(5, 6), 7));
        assertEquals(new RankPlace(-1, 7, -1, -1), RankPlace.on(topology, CpuSet.of(3, 4), 7));
        assertEquals(new RankPlace(-1, 7, -1, -1), RankPlace.on(topology, CpuSet.EMPTY, 7));
    }

    @Test
    void thisProcessMayRunSomewhere() {
        assertTrue(RankPlace.allowedProcessors().size() >= Runtime.getRuntime().availableProcessors());
    }
}

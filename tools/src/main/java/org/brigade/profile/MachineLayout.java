package org.brigade.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.brigade.topology.profile.NodeLayout;

/**
 * The layout of this machine for a search. What the system tells about connections, and the width and speed of each
 * link, distinguishes devices that only look alike. Adapters are left out, as transfers between nodes are not measured.
 */
public final class MachineLayout {
    private static final Path PCI = Path.of("/sys/bus/pci/devices");

    private MachineLayout() {
    }

    /** With processors instead of GPUs; all of them reach all memory. */
    public static NodeLayout ofProcessors(HostMachine machine, List<Integer> processors) {
        int count = processors.size();
        int[] numaOf = new int[count];
        boolean[][] reach = new boolean[count][count];
        int[][] relation = new int[count][count];
        Map<String, Integer> kinds = new HashMap<>();
        for (int i = 0; i < count; i++) {
            numaOf[i] = machine.numaOf(processors.get(i));
            for (int j = 0; j < count; j++) {
                reach[i][j] = true;
                String kind = i == j ? machine.speed(processors.get(i))
                    : "apart " + machine.apart(processors.get(i), processors.get(j));
                relation[i][j] = kinds.computeIfAbsent(kind, fresh -> kinds.size());
            }
        }
        return new NodeLayout(machine.numaNodes(), numaOf, new int[0], reach, relation, memories(machine));
    }

    /**
     * The layout for GPUs.
     *
     * @param busIds of the GPUs, as the kernel writes them
     * @param reach [from][to]: whether one GPU can access the other's memory
     * @param links [from][to]: how it does so, in words; links with different words are different
     */
    public static NodeLayout ofGpus(HostMachine machine, List<String> busIds, boolean[][] reach, String[][] links) {
        return ofGpus(machine, PCI, busIds, reach, links);
    }

    static NodeLayout ofGpus(HostMachine machine, Path pci, List<String> busIds, boolean[][] reach, String[][] links) {
        int count = busIds.size();
        int[] numaOf = new int[count];
        Map<String, Integer> kinds = new HashMap<>();
        int[][] relation = new int[count][count];
        List<List<Bridge>> ways = new ArrayList<>();
        for (int gpu = 0; gpu < count; gpu++) {
            numaOf[gpu] = machine.indexOf(numaNumber(pci.resolve(busIds.get(gpu))));
            ways.add(way(pci.resolve(busIds.get(gpu))));
        }
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                int common = 0;
                while (common < Math.min(ways.get(i).size(), ways.get(j).size())
                    && ways.get(i).get(common).equals(ways.get(j).get(common))) {
                    common++;
                }
                // Pairs are described by the PCIe links on either side of where their paths meet; a GPU by all links up
                // to its CPU.
                String kind = i == j ? "self" + rates(ways.get(i), 0)
                    : links[i][j] + rates(ways.get(i), common) + " and" + rates(ways.get(j), common);
                relation[i][j] = kinds.computeIfAbsent(kind, fresh -> kinds.size());
            }
        }
        return new NodeLayout(machine.numaNodes(), numaOf, new int[0], reach, relation, memories(machine));
    }

    /** Distances of NUMA nodes, and on the diagonal the kind of memory of each. */
    private static int[][] memories(HostMachine machine) {
        int[][] relation = machine.distances();
        Map<String, Integer> kinds = new HashMap<>();
        for (int numa = 0; numa < relation.length; numa++) {
            relation[numa][numa] = kinds.computeIfAbsent(machine.memory(numa), fresh -> kinds.size());
        }
        return relation;
    }

    private static int numaNumber(Path device) {
        try {
            return Integer.parseInt(Files.readString(device.resolve("numa_node")).strip());
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
    }

    /**
     * A bridge or device on the path to a device, and the width and speed of its link. An idle GPU lowers its link's
     * speed, so this is the maximum speed.
     */
    private record Bridge(String name, String rate) {
    }

    /**
     * The path from the root complex to a device: {@code pci0000:00, 0000:00:01.1, ...}; only the device if the kernel
     * does not tell.
     */
    private static List<Bridge> way(Path device) {
        List<Bridge> way = new ArrayList<>();
        try {
            Path real = device.toRealPath();
            for (int parts = 1; parts <= real.getNameCount(); parts++) {
                Path at = real.getRoot().resolve(real.subpath(0, parts));
                way.add(new Bridge(at.toString(),
                    text(at.resolve("current_link_width")) + " x " + text(at.resolve("max_link_speed"))));
            }
        } catch (IOException e) {
            way.add(new Bridge(device.toString(), ""));
        }
        return way;
    }

    private static String rates(List<Bridge> way, int from) {
        StringBuilder rates = new StringBuilder();
        for (Bridge bridge : way.subList(from, way.size())) {
            rates.append(", ").append(bridge.rate);
        }
        return rates.toString();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }
}

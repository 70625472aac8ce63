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
 * The layout of this machine for a search. What the system tells of how devices are connected keeps pairs apart that only look alike; adapters are not part of it, as
 * transfers between nodes are not measured.
 */
public final class MachineLayout {
    private static final Path PCI = Path.of("/sys/bus/pci/devices");

    private MachineLayout() {
    }

    /** Processors in place of GPUs; all of them reach all memory. */
    public static NodeLayout ofProcessors(HostMachine machine, List<Integer> processors) {
        int count = processors.size();
        int[] numaOf = new int[count];
        boolean[][] reach = new boolean[count][count];
        int[][] relation = new int[count][count];
        for (int i = 0; i < count; i++) {
            numaOf[i] = machine.numaOf(processors.get(i));
            for (int j = 0; j < count; j++) {
                reach[i][j] = true;
                relation[i][j] = i == j ? 0 : 1 + machine.apart(processors.get(i), processors.get(j));
            }
        }
        return new NodeLayout(machine.numaNodes(), numaOf, new int[0], reach, relation, machine.distances());
    }

    /**
     * GPUs.
     *
     * @param busIds of the GPUs, as the kernel writes them
     * @param reach  [from][to]: whether one can be given access to the other's memory
     * @param links  [from][to]: how it does that, in words; what differs is not alike
     */
    public static NodeLayout ofGpus(HostMachine machine, List<String> busIds, boolean[][] reach, String[][] links) {
        int count = busIds.size();
        int[] numaOf = new int[count];
        Map<String, Integer> kinds = new HashMap<>();
        int[][] relation = new int[count][count];
        List<List<String>> ways = new ArrayList<>();
        for (int gpu = 0; gpu < count; gpu++) {
            numaOf[gpu] = machine.indexOf(numaNumber(busIds.get(gpu)));
            ways.add(way(busIds.get(gpu)));
        }
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                int common = 0;
                while (common < Math.min(ways.get(i).size(), ways.get(j).size()) && ways.get(i).get(common).equals(ways.get(j).get(common))) {
                    common++;
                }
                // By how many PCIe bridges are passed on either side of where the ways meet.
                String kind = i == j ? "self " + ways.get(i).size() : links[i][j] + " " + (ways.get(i).size() - common) + " " + (ways.get(j).size() - common);
                relation[i][j] = kinds.computeIfAbsent(kind, fresh -> kinds.size());
            }
        }
        return new NodeLayout(machine.numaNodes(), numaOf, new int[0], reach, relation, machine.distances());
    }

    private static int numaNumber(String busId) {
        try {
            return Integer.parseInt(Files.readString(PCI.resolve(busId).resolve("numa_node")).strip());
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
    }

    /** The bridges from the root complex to a device: {@code pci0000:00, 0000:00:01.1, ...}; the bus id alone if the kernel does not say. */
    private static List<String> way(String busId) {
        List<String> way = new ArrayList<>();
        try {
            for (Path part : PCI.resolve(busId).toRealPath()) {
                way.add(part.toString());
            }
        } catch (IOException e) {
            way.add(busId);
        }
        return way;
    }
}

package org.brigade.topology.system;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.brigade.topology.CpuSet;

/**
 * Processors and the memory next to them.
 *
 * @param id the kernel's number, -1 if the kernel has none
 * @param processors not empty: memory without processors is left out
 * @param memoryBytes 0 if unknown
 */
public record NumaNode(int id, CpuSet processors, long memoryBytes) {
    private static final String FOLDER = "sys/devices/system/node";
    /** No lambda: the launcher's first one would take as long as all the rest of binding. */
    private static final Comparator<NumaNode> BY_ID = new Comparator<>() {
        @Override
        public int compare(NumaNode a, NumaNode b) {
            return Integer.compare(a.id, b.id);
        }
    };

    /** All NUMA nodes, ascending. A kernel without NUMA has one, of all processors. */
    public static List<NumaNode> read(SystemFiles files) {
        List<NumaNode> nodes = new ArrayList<>();
        for (String name : files.names(FOLDER)) {
            int id = name.startsWith("node") ? number(name.substring(4)) : -1;
            CpuSet processors = id < 0 ? CpuSet.EMPTY : processors(files, FOLDER + "/" + name + "/cpulist");
            if (!processors.isEmpty()) {
                nodes.add(new NumaNode(id, processors, memory(files.text(FOLDER + "/" + name + "/meminfo"))));
            }
        }
        Collections.sort(nodes, BY_ID);
        long all = memory(files.text("proc/meminfo"));
        if (nodes.isEmpty()) {
            CpuSet online = processors(files, "sys/devices/system/cpu/online");
            nodes.add(new NumaNode(-1, online, all));
        }
        return plausible(nodes, all);
    }

    /** Some virtual machines and sandboxes show nodes with a small part of the memory that they have. */
    private static List<NumaNode> plausible(List<NumaNode> nodes, long all) {
        long sum = 0;
        for (NumaNode node : nodes) {
            sum += node.memoryBytes;
        }
        if (sum >= all / 2) {
            return nodes;
        }
        List<NumaNode> corrected = new ArrayList<>();
        for (NumaNode node : nodes) {
            corrected.add(new NumaNode(node.id, node.processors, nodes.size() == 1 ? all : 0));
        }
        return corrected;
    }

    public static CpuSet processors(SystemFiles files, String path) {
        return CpuSet.listOrEmpty(files.text(path));
    }

    /** Reads {@code Node 0 MemTotal: 16214236 kB}, with or without the node. */
    private static long memory(String meminfo) {
        for (String line : meminfo.split("\n")) {
            int at = line.indexOf("MemTotal:");
            if (at >= 0) {
                String[] words = line.substring(at + "MemTotal:".length()).strip().split("\\s+");
                return Math.max(0, number(words[0])) * 1024L;
            }
        }
        return 0;
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}

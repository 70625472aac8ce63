package org.brigade.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.brigade.topology.CpuSet;

/**
 * Processors and NUMA nodes as the kernel lists them. NUMA nodes without memory are not counted; the others have
 * indices from 0.
 */
public final class HostMachine {
    private static final Pattern TOTAL = Pattern.compile("MemTotal:\\s+(\\d{1,15})");

    private final Path nodes;
    private final Path cpus;
    /** By index: the kernel's number. */
    private final List<Integer> numbers = new ArrayList<>();
    private final List<CpuSet> processors = new ArrayList<>();

    public HostMachine() {
        this(Path.of("/sys/devices/system"));
    }

    HostMachine(Path system) {
        nodes = system.resolve("node");
        cpus = system.resolve("cpu");
        for (int number : CpuSet.listOrEmpty(text(nodes.resolve("has_memory"))).toArray()) {
            numbers.add(number);
            processors.add(CpuSet.listOrEmpty(text(nodes.resolve("node" + number).resolve("cpulist"))));
        }
        if (numbers.isEmpty()) {
            numbers.add(0);
            processors.add(CpuSet.listOrEmpty(text(cpus.resolve("online"))));
        }
    }

    /** NUMA nodes with memory, 1 or more. */
    public int numaNodes() {
        return numbers.size();
    }

    /** Index of the NUMA node with this kernel number; 0 for an unknown one, such as -1. */
    public int indexOf(int number) {
        return Math.max(0, numbers.indexOf(number));
    }

    /** The processors of a NUMA node, by index. */
    public BitSet processors(int numa) {
        return processors.get(numa).toBitSet();
    }

    /** Index of a processor's NUMA node; 0 if that node has no memory. */
    public int numaOf(int processor) {
        for (int numa = 0; numa < processors.size(); numa++) {
            if (processors.get(numa).contains(processor)) {
                return numa;
            }
        }
        return 0;
    }

    /** [NUMA node][NUMA node]: the distances from the firmware; 10 is to itself. */
    public int[][] distances() {
        int[][] distances = new int[numaNodes()][numaNodes()];
        for (int from = 0; from < numaNodes(); from++) {
            String[] row = text(nodes.resolve("node" + numbers.get(from)).resolve("distance")).strip().split(" +");
            for (int to = 0; to < numaNodes(); to++) {
                distances[from][to] = numbers.get(to) < row.length && row[numbers.get(to)].matches("\\d{1,6}")
                    ? Integer.parseInt(row[numbers.get(to)]) : 0;
            }
        }
        return distances;
    }

    /**
     * The kind of a NUMA node's memory: its size in steps of some 20 % (missing DIMMs make memory slower), its number
     * of processors, and the rates from the firmware.
     */
    public String memory(int numa) {
        Path node = nodes.resolve("node" + numbers.get(numa));
        Matcher total = TOTAL.matcher(text(node.resolve("meminfo")));
        long size = total.find() ? Math.round(4 * Math.log(Long.parseLong(total.group(1))) / Math.log(2)) : 0;
        return size + " " + processors.get(numa).toArray().length + " "
            + text(node.resolve("access0/initiators/read_bandwidth")) + " "
            + text(node.resolve("access0/initiators/write_bandwidth"));
    }

    /** The highest clock rate of a processor's core; empty if the kernel does not tell. */
    public String speed(int processor) {
        return text(cpus.resolve("cpu" + processor).resolve("cpufreq/cpuinfo_max_freq"));
    }

    /** What two processors share: 0 a core (or they are one), 1 a cache, 2 only memory. */
    public int apart(int one, int other) {
        if (one == other || CpuSet.listOrEmpty(text(cpus.resolve("cpu" + one).resolve("topology/thread_siblings_list")))
            .contains(other)) {
            return 0;
        }
        for (int index = 0; index < 8; index++) {
            if (CpuSet.listOrEmpty(text(cpus.resolve("cpu" + one).resolve("cache/index" + index + "/shared_cpu_list")))
                .contains(other)) {
                return 1;
            }
        }
        return 2;
    }

    /**
     * Processors to profile, one of each core: from each NUMA node in turn, and there from each group that shares a
     * cache in turn.
     *
     * @param allowed the processors that may be used
     */
    public List<Integer> spread(BitSet allowed, int most) {
        List<List<Integer>> perNode = new ArrayList<>();
        for (int numa = 0; numa < numaNodes(); numa++) {
            perNode.add(alternating(numa, allowed));
        }
        List<Integer> chosen = new ArrayList<>();
        for (int round = 0; chosen.size() < most; round++) {
            boolean some = false;
            for (List<Integer> of : perNode) {
                if (round < of.size() && chosen.size() < most) {
                    chosen.add(of.get(round));
                    some = true;
                }
            }
            if (!some) {
                break;
            }
        }
        return chosen;
    }

    private List<Integer> alternating(int numa, BitSet allowed) {
        List<List<Integer>> groups = new ArrayList<>();
        BitSet left = processors(numa);
        left.and(allowed);
        for (int processor = left.nextSetBit(0); processor >= 0; processor = left.nextSetBit(processor + 1)) {
            List<Integer> group = null;
            boolean taken = false;
            for (List<Integer> other : groups) {
                for (int member : other) {
                    taken |= apart(processor, member) == 0;
                }
                group = group == null && apart(processor, other.get(0)) <= 1 ? other : group;
            }
            if (taken) {
                continue;
            }
            if (group == null) {
                group = new ArrayList<>();
                groups.add(group);
            }
            group.add(processor);
        }
        List<Integer> order = new ArrayList<>();
        for (int round = 0, before = -1; before < order.size(); round++) {
            before = order.size();
            for (List<Integer> group : groups) {
                if (round < group.size()) {
                    order.add(group.get(round));
                }
            }
        }
        return order;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }
}

package org.brigade.topology.system;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.brigade.topology.CpuSet;

/**
 * What machines must have in common for measurements of host memory on one to hold on another. Of the whole machine,
 * whatever a process is bound to. No host name: nodes of a cluster are alike.
 *
 * @param processors logical ones
 * @param caches last levels of cache that several cores share; 0 if none is shared or the kernel tells of none
 * @param processor the model, as the kernel names it; empty if it does not
 */
public record HostShape(int processors, int cores, int caches, int numaNodes, String processor) {
    /** Enough for the first processor. The kernel asks each further one for its present clock rate. */
    private static final int CPUINFO = 2048;

    public static HostShape here() {
        return of(new SystemFiles(Path.of("/")));
    }

    public static HostShape of(SystemFiles files) {
        int processors = 0;
        int cores = 0;
        Set<CpuSet> caches = new HashSet<>();
        List<NumaNode> nodes = NumaNode.read(files);
        for (NumaNode node : nodes) {
            processors += node.processors().size();
            for (CpuCore core : CpuCore.of(files, node)) {
                cores++;
                if (core.sharesCache()) {
                    caches.add(core.cache());
                }
            }
        }
        return new HostShape(processors, cores, caches.size(), nodes.size(),
            model(files.beginning("proc/cpuinfo", CPUINFO)));
    }

    /** The first processor's name, with the numbers that tell virtual ones of one name apart. */
    private static String model(String cpuinfo) {
        String name = value(cpuinfo, "model name");
        name = name.isEmpty() ? value(cpuinfo, "cpu") : name;
        if (name.isEmpty()) {
            name = (value(cpuinfo, "CPU implementer") + " " + value(cpuinfo, "CPU part")).trim();
        }
        String family = value(cpuinfo, "cpu family");
        return name + (family.isEmpty() ? "" : ", family " + family + " model " + value(cpuinfo, "model"));
    }

    private static String value(String cpuinfo, String key) {
        int end;
        for (int from = 0; from < cpuinfo.length(); from = end + 1) {
            end = cpuinfo.indexOf('\n', from);
            end = end < 0 ? cpuinfo.length() : end;
            int colon = cpuinfo.indexOf(':', from);
            if (colon > from && colon < end && cpuinfo.substring(from, colon).trim().equals(key)) {
                return cpuinfo.substring(colon + 1, end).trim();
            }
        }
        return "";
    }

    /** {@code 64 processors, 32 cores, 4 shared caches, 2 NUMA nodes, Some Processor 7000, family 25 model 1}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        count(text, processors, "processor");
        count(text.append(", "), cores, "core");
        count(text.append(", "), caches, "shared cache");
        count(text.append(", "), numaNodes, "NUMA node");
        return text.append(processor.isEmpty() ? "" : ", ").append(processor).toString();
    }

    private static void count(StringBuilder text, int number, String what) {
        text.append(number).append(' ').append(what).append(number == 1 ? "" : "s");
    }
}

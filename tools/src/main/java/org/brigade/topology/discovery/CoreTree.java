package org.brigade.topology.discovery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.brigade.topology.CpuSet;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.LinkEstimates;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;

/** Adds to a machine's CPUs what NCCL's format cannot express: memory, shared caches, and cores. */
final class CoreTree {
    private static final String CPUS = "sys/devices/system/cpu/cpu";

    private final SystemFiles files;
    private final Topology.Builder builder;
    private final Map<CpuSet, Component> caches = new HashMap<>();

    CoreTree(SystemFiles files, Topology.Builder builder) {
        this.files = files;
        this.builder = builder;
    }

    void add(NumaNode node, Component cpu) {
        Map<String, String> memory = SystemDocument.attributes("numa", node.id());
        if (node.memoryBytes() > 0) {
            memory.put("bytes", Long.toString(node.memoryBytes()));
        }
        Component ram = builder.add(ComponentKind.MEMORY, cpu.node(), "memory" + Math.max(0, node.id()), memory);
        builder.link(LinkKind.MEMORY, cpu, ram, LinkEstimates.MEMORY_RATE, LinkEstimates.MEMORY_LATENCY);
        List<CpuSet> cores = new ArrayList<>();
        for (int processor : node.processors().toArray()) {
            CpuSet siblings = NumaNode.processors(files, CPUS + processor + "/topology/thread_siblings_list");
            CpuSet core = siblings.contains(processor) ? siblings : CpuSet.of(processor);
            if (!cores.contains(core)) {
                cores.add(core);
            }
        }
        for (CpuSet core : cores) {
            Component cache = cache(core, node, cpu);
            Component component =
                builder.add(ComponentKind.CORE, cpu.node(), "core" + core.first(), Map.of("cpus", core.toString()));
            builder.link(LinkKind.CHIP, cache == null ? cpu : cache, component, LinkEstimates.CORE_RATE,
                LinkEstimates.CHIP_LATENCY);
        }
    }

    /** The last cache that a core shares with others of its NUMA node; null if there is none. */
    private Component cache(CpuSet core, NumaNode node, Component cpu) {
        String folder = CPUS + core.first() + "/cache";
        String last = null;
        long level = 1;
        CpuSet sharers = core;
        for (String index : files.names(folder)) {
            CpuSet shared =
                NumaNode.processors(files, folder + "/" + index + "/shared_cpu_list").and(node.processors());
            long its = files.number(folder + "/" + index + "/level", 0);
            if (index.startsWith("index") && its > level && !core.containsAll(shared)) {
                last = folder + "/" + index;
                level = its;
                sharers = shared;
            }
        }
        if (last == null) {
            return null;
        }
        Component known = caches.get(sharers);
        if (known == null) {
            known = builder.add(ComponentKind.CACHE, cpu.node(), "cache" + caches.size(), SystemDocument
                .attributes("level", level, "cpus", sharers, "size", files.text(last + "/size")));
            caches.put(sharers, known);
            builder.link(LinkKind.CHIP, cpu, known, LinkEstimates.CACHE_RATE, LinkEstimates.CHIP_LATENCY);
        }
        return known;
    }
}

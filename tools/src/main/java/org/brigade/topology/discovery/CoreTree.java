package org.brigade.topology.discovery;

import java.util.HashMap;
import java.util.Map;
import org.brigade.topology.CpuSet;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.LinkEstimates;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.system.CpuCore;
import org.brigade.topology.system.NumaNode;
import org.brigade.topology.system.SystemFiles;

/** Adds to a machine's CPUs what NCCL's format cannot express: memory, shared caches, and cores. */
final class CoreTree {
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
        for (CpuCore core : CpuCore.of(files, node)) {
            Component above = core.sharesCache() ? cache(core, cpu) : cpu;
            Component component = builder.add(ComponentKind.CORE, cpu.node(), "core" + core.processors().first(),
                Map.of("cpus", core.processors().toString()));
            builder.link(LinkKind.CHIP, above, component, LinkEstimates.CORE_RATE, LinkEstimates.CHIP_LATENCY);
        }
    }

    private Component cache(CpuCore core, Component cpu) {
        Component known = caches.get(core.cache());
        if (known == null) {
            known = builder.add(ComponentKind.CACHE, cpu.node(), "cache" + caches.size(),
                SystemDocument.attributes("level", core.level(), "cpus", core.cache(), "size",
                    files.text(core.cacheFolder() + "/size")));
            caches.put(core.cache(), known);
            builder.link(LinkKind.CHIP, cpu, known, LinkEstimates.CACHE_RATE, LinkEstimates.CHIP_LATENCY);
        }
        return known;
    }
}

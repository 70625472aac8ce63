package org.brigade.topology.model;

import java.util.ArrayDeque;

/** The CPU, and so the NUMA node's memory, that each component belongs to: the nearest by links. */
public final class Locality {
    /** By component: the id of its CPU, or -1. */
    private final int[] cpu;
    /** By component: the id of the memory at its CPU, or -1. */
    private final int[] memory;

    public Locality(Topology topology) {
        int size = topology.components().size();
        cpu = new int[size];
        memory = new int[size];
        java.util.Arrays.fill(cpu, -1);
        java.util.Arrays.fill(memory, -1);
        ArrayDeque<Integer> next = new ArrayDeque<>();
        for (Component component : topology.components()) {
            if (component.kind() == ComponentKind.CPU) {
                cpu[component.id()] = component.id();
                next.add(component.id());
            }
        }
        // Spreads from all CPUs at once, in the order of their ids: every component is first reached from its nearest
        // CPU, the
        // lowest of equals. NVLinks between GPUs do not count: they do not tell where GPUs are plugged in.
        while (!next.isEmpty()) {
            int at = next.remove();
            for (int id : topology.linksOf(at)) {
                TopologyLink link = topology.link(id);
                int other = link.other(at);
                boolean between = link.kind() == LinkKind.NVLINK && topology.component(at).kind() != ComponentKind.CPU;
                if (!between && link.kind() != LinkKind.NETWORK && link.kind() != LinkKind.NTB && cpu[other] < 0
                    && topology.component(other).node() == topology.component(at).node()) {
                    cpu[other] = cpu[at];
                    next.add(other);
                }
            }
        }
        int[] of = new int[size];
        java.util.Arrays.fill(of, -1);
        for (Component component : topology.components()) {
            int home = cpu[component.id()];
            if (component.kind() == ComponentKind.MEMORY && home >= 0 && of[home] < 0) {
                of[home] = component.id();
            }
        }
        for (int id = 0; id < size; id++) {
            memory[id] = cpu[id] < 0 ? -1 : of[cpu[id]];
        }
    }

    /** The id of a component's CPU, or -1 if no path leads to one. */
    public int cpuOf(int component) {
        return cpu[component];
    }

    /** The id of the memory next to a component, or -1 if its CPU has none. */
    public int memoryOf(int component) {
        return memory[component];
    }
}

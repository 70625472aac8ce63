package org.brigade.topology.place;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.brigade.topology.Component;
import org.brigade.topology.ComponentKind;
import org.brigade.topology.CpuSet;
import org.brigade.topology.Link;
import org.brigade.topology.Locality;
import org.brigade.topology.Topology;

/**
 * Where a rank sits, as numbers that ranks can tell each other: equal numbers mean the same thing, within one node for all but {@code network} and {@code node}. -1 stands
 * for what is not known, as for a rank that may run on any core.
 *
 * @param network the switch that the node hangs on
 * @param node    the host
 * @param cpu     the NUMA node
 * @param near    the cache that its core shares, or the PCIe switch that its GPU hangs on
 */
public record RankPlace(int network, int node, int cpu, int near) {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";

    /**
     * The place of a rank that may run on some processors of this machine: as deep as one cache, or one CPU, has all of them.
     *
     * @param machine this machine, as discovered
     * @param node    the number by which the job knows this host
     */
    public static RankPlace on(Topology machine, CpuSet allowed, int node) {
        int cpu = holder(machine, ComponentKind.CPU, allowed);
        return new RankPlace(-1, node, cpu, cpu < 0 ? -1 : holder(machine, ComponentKind.CACHE, allowed));
    }

    private static int holder(Topology machine, ComponentKind kind, CpuSet allowed) {
        for (Component component : machine.of(kind)) {
            String cpus = component.attributes().get("cpus");
            if (cpus != null && !allowed.isEmpty() && CpuSet.parseList(cpus).containsAll(allowed)) {
                return component.id();
            }
        }
        return -1;
    }

    /** The place of a rank that sits on a component (a core, a GPU) of a machine or cluster. */
    public static RankPlace at(Topology topology, Locality locality, int component) {
        int node = topology.component(component).node();
        return new RankPlace(network(topology, node), node, locality.cpuOf(component), near(topology, component));
    }

    private static int near(Topology topology, int component) {
        for (int id : topology.linksOf(component)) {
            Component other = topology.component(topology.link(id).other(component));
            if (other.kind() == ComponentKind.CACHE || other.kind() == ComponentKind.PCI_SWITCH) {
                return other.id();
            }
        }
        return -1;
    }

    /** The first switch that an adapter of the node is plugged into. */
    private static int network(Topology topology, int node) {
        for (ComponentKind kind : new ComponentKind[] {ComponentKind.NIC, ComponentKind.NTB}) {
            for (Component adapter : topology.of(kind, node)) {
                for (int id : topology.linksOf(adapter.id())) {
                    Link link = topology.link(id);
                    if (topology.component(link.other(adapter.id())).kind() == ComponentKind.SWITCH) {
                        return link.other(adapter.id());
                    }
                }
            }
        }
        return -1;
    }

    /** The processors that this process may run on; empty if the kernel does not say. Reads one small file. */
    public static CpuSet allowedProcessors() {
        try {
            for (String line : Files.readAllLines(STATUS)) {
                if (line.startsWith(ALLOWED)) {
                    return CpuSet.parseList(line.substring(ALLOWED.length()));
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            return CpuSet.EMPTY; // no /proc: nothing is known, which is an answer
        }
        return CpuSet.EMPTY;
    }
}

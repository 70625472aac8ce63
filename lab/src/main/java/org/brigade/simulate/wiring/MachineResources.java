package org.brigade.simulate.wiring;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.brigade.topology.figure.Limit;
import org.brigade.topology.machine.CongestionPattern;
import org.brigade.topology.machine.CrowdedMemory;
import org.brigade.topology.machine.Machine;
import org.brigade.topology.machine.SharedMemoryCosts;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.Distance;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;

/**
 * The resources of a machine, numbered: two for each link (its directions; a half-duplex link uses the first only),
 * then the limits of root complexes (for each CPU and each shared limit of the policy), then one for each rank, the
 * core or GPU that copies and reduces, then one for each CPU whose ranks' shared memory has a limit.
 */
final class MachineResources {
    /** What a limit applies to. */
    enum Use { PEER, READ, WRITE }

    private record Shared(Use use, Distance distance, double rate) {
    }

    private final Topology topology;
    /** Null if any number of transfers may use a memory. */
    private CrowdedMemory crowded;
    private final List<Shared> shared = new ArrayList<>();
    private final Map<Use, Map<Distance, Integer>> places = new EnumMap<>(Use.class);
    /** CPUs by component id; -1 for other components. */
    private final int[] cpuIndex;
    private final List<Component> cpus;
    private final int limits;
    private final int hands;
    private final int ranks;
    private final double handRate;
    private final double memoryRate;

    /** @param handRate bytes/s of the faster of copying and reducing in a rank's own memory */
    MachineResources(Machine machine, int ranks, double handRate) {
        topology = machine.topology();
        for (CongestionPattern pattern : machine.patterns()) {
            if (pattern instanceof CrowdedMemory memory) {
                crowded = memory;
            }
        }
        cpus = topology.of(ComponentKind.CPU);
        cpuIndex = new int[topology.components().size()];
        java.util.Arrays.fill(cpuIndex, -1);
        for (int i = 0; i < cpus.size(); i++) {
            cpuIndex[cpus.get(i).id()] = i;
        }
        add(Use.PEER, machine.policy().peers());
        add(Use.READ, machine.policy().reads());
        add(Use.WRITE, machine.policy().writes());
        limits = 2 * topology.links().size();
        hands = limits + cpus.size() * shared.size();
        this.ranks = ranks;
        this.handRate = handRate;
        SharedMemoryCosts memory = machine.policy().memory();
        memoryRate = memory == null ? Double.POSITIVE_INFINITY
            : memory.rates().stream().mapToDouble(SharedMemoryCosts.Rates::together).filter(Double::isFinite).max()
                .orElse(Double.POSITIVE_INFINITY);
    }

    private void add(Use use, Map<Distance, Limit> rules) {
        Map<Distance, Integer> of = new EnumMap<>(Distance.class);
        for (Map.Entry<Distance, Limit> rule : rules.entrySet()) {
            if (rule.getValue().shared()) {
                of.put(rule.getKey(), shared.size());
                shared.add(new Shared(use, rule.getKey(), rule.getValue().rate()));
            }
        }
        places.put(use, of);
    }

    int count() {
        return hands + ranks + (Double.isFinite(memoryRate) ? cpus.size() : 0);
    }

    /** What the ranks at a CPU (by component id) move together in memory that they share. */
    int sharedMemory(int cpu) {
        return hands + ranks + cpuIndex[cpu];
    }

    /** The capacity of {@link #sharedMemory}: of several sizes of calls the greatest. */
    double memoryRate() {
        return memoryRate;
    }

    /** The resource of a link when data leave {@code from} through it. */
    int link(int id, int from) {
        TopologyLink link = topology.link(id);
        return 2 * id + (link.halfDuplex() || link.a() == from ? 0 : 1);
    }

    /** The resource of a shared limit at a CPU (by component id). */
    int limit(Use use, Distance distance, int cpu) {
        return limits + cpuIndex[cpu] * shared.size() + places.get(use).get(distance);
    }

    int hands(int rank) {
        return hands + rank;
    }

    double capacity(int resource) {
        if (resource < limits) {
            TopologyLink link = topology.link(resource >> 1);
            return (resource & 1) == 0 ? link.forward() : link.backward();
        }
        return resource < hands ? shared.get((resource - limits) % shared.size()).rate
            : resource < hands + ranks ? handRate : memoryRate;
    }

    int crowd(int resource) {
        return memory(resource) && crowded != null ? crowded.most() : Integer.MAX_VALUE;
    }

    double crowdFactor(int resource) {
        return memory(resource) && crowded != null ? crowded.factor() : 1;
    }

    private boolean memory(int resource) {
        return resource < limits && topology.link(resource >> 1).kind() == LinkKind.MEMORY;
    }

    String name(int resource) {
        if (resource < limits) {
            TopologyLink link = topology.link(resource >> 1);
            Component a = topology.component(link.a());
            Component b = topology.component(link.b());
            return link.halfDuplex() ? a + " <> " + b : (resource & 1) == 0 ? a + " > " + b : b + " > " + a;
        }
        if (resource < hands) {
            Shared limit = shared.get((resource - limits) % shared.size());
            String what =
                limit.use == Use.PEER ? "peer access" : limit.use == Use.READ ? "GPUDirect reads" : "GPUDirect writes";
            return cpus.get((resource - limits) / shared.size()) + " " + what + " (" + limit.distance.word() + ")";
        }
        return resource < hands + ranks ? "rank " + (resource - hands)
            : cpus.get(resource - hands - ranks) + " shared memory";
    }
}

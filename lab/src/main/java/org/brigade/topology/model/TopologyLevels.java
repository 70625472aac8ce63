package org.brigade.topology.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.brigade.pattern.Levels;

/**
 * The hierarchy of ranks by their places on a machine or cluster: ranks that share a cache, a NUMA node, a node, a
 * switch of the network. Levels without information are left out: one group of all ranks, each rank alone, or the same
 * groups as the level around. Ranks at a CPU itself form one group there.
 *
 * <p>
 * PCIe switches are no level: as a level of two GPUs each they made hierarchical broadcasts of 64 MiB 13 to 19 % slower
 * on RX1 and the CS-Storm (simulated), and nothing much faster.
 */
public final class TopologyLevels {
    private static final int DEPTHS = 4;

    private final Topology topology;
    private final Locality locality;

    private TopologyLevels(Topology topology, Locality locality) {
        this.topology = topology;
        this.locality = locality;
    }

    /**
     * @param components by rank: the id of its core or GPU; several ranks may share one
     * @return innermost level first
     */
    public static Levels of(Topology topology, Locality locality, int[] components) {
        TopologyLevels machine = new TopologyLevels(topology, locality);
        int[] around = new int[components.length];
        List<int[]> levels = new ArrayList<>();
        Map<Integer, Integer> networks = new HashMap<>();
        for (int depth = 0; depth < DEPTHS; depth++) {
            Map<Long, Integer> numbers = new HashMap<>();
            int[] groups = new int[components.length];
            for (int rank = 0; rank < groups.length; rank++) {
                long key = (long) around[rank] << Integer.SIZE
                    | machine.group(depth, components[rank], networks) & 0xffff_ffffL;
                Integer known = numbers.putIfAbsent(key, numbers.size());
                groups[rank] = known == null ? numbers.size() - 1 : known;
            }
            if (numbers.size() > 1 && numbers.size() < components.length && !Arrays.equals(groups, around)) {
                levels.add(0, groups);
            }
            around = groups;
        }
        return new Levels(levels.toArray(new int[0][]));
    }

    /** The group that contains a component, at a depth counted from the network (0) inwards. */
    private int group(int depth, int component, Map<Integer, Integer> networks) {
        int node = topology.component(component).node();
        return switch (depth) {
            case 0 -> networks.computeIfAbsent(node, this::network);
            case 1 -> node;
            case 2 -> locality.cpuOf(component);
            default -> neighbour(component, ComponentKind.CACHE);
        };
    }

    /** The first switch that one of the node's adapters is connected to, or -1. */
    private int network(int node) {
        for (ComponentKind kind : new ComponentKind[] {ComponentKind.NIC, ComponentKind.NTB}) {
            for (Component adapter : topology.of(kind, node)) {
                int found = neighbour(adapter.id(), ComponentKind.SWITCH);
                if (found >= 0) {
                    return found;
                }
            }
        }
        return -1;
    }

    private int neighbour(int component, ComponentKind kind) {
        for (int id : topology.linksOf(component)) {
            int other = topology.link(id).other(component);
            if (topology.component(other).kind() == kind) {
                return other;
            }
        }
        return -1;
    }
}

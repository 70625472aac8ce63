package org.brigade.simulate.wiring;

import java.util.ArrayList;
import java.util.List;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;

/**
 * Paths between nodes: a cable, or up from a leaf switch to the first switch that leads down to the other side. The
 * receiving node alone (node modulo spines) decides which of a leaf's spines a message takes, as in destination-based
 * routing: messages to one node meet, those of a shift do not.
 */
final class MachineNetwork {
    private final Topology topology;
    /** By adapter: the id of its link into the network, or -1. */
    private final int[] port;
    /** By switch: the ids of its links to other switches, ascending; for a leaf those to the spines in their order. */
    private final int[][] trunks;
    private final List<List<Component>> adapters = new ArrayList<>();

    MachineNetwork(Topology topology) {
        this.topology = topology;
        int size = topology.components().size();
        port = new int[size];
        trunks = new int[size][];
        for (int node = 0; node < topology.nodes(); node++) {
            adapters.add(new ArrayList<>());
        }
        for (Component component : topology.components()) {
            int id = component.id();
            port[id] = -1;
            if (component.kind() == ComponentKind.NIC || component.kind() == ComponentKind.NTB) {
                for (int link : topology.linksOf(id)) {
                    if (outside(topology.link(link))) {
                        port[id] = link;
                        adapters.get(component.node()).add(component);
                        break;
                    }
                }
            } else if (component.kind() == ComponentKind.SWITCH) {
                trunks[id] = trunksOf(id);
            }
        }
    }

    private int[] trunksOf(int id) {
        int[] links = topology.linksOf(id);
        int[] found = new int[links.length];
        int size = 0;
        for (int link : links) {
            if (topology.component(topology.link(link).other(id)).kind() == ComponentKind.SWITCH) {
                found[size++] = link;
            }
        }
        return java.util.Arrays.copyOf(found, size);
    }

    private static boolean outside(TopologyLink link) {
        return link.kind() == LinkKind.NETWORK || link.kind() == LinkKind.NTB;
    }

    /** A node's adapters that are on the network, by id. */
    List<Component> adapters(int node) {
        return adapters.get(node);
    }

    /** Where a message that leaves through {@code out} arrives: at {@code wanted}, or at the other end of a cable. */
    int across(int out, int wanted) {
        int other = topology.link(port[out]).other(out);
        return topology.component(other).kind() == ComponentKind.SWITCH ? wanted : other;
    }

    /** The link to take next. */
    int next(int at, int to) {
        int last = port[to];
        int lastSwitch = topology.link(last).other(to);
        if (at == lastSwitch) {
            return last;
        }
        if (topology.component(at).kind() != ComponentKind.SWITCH) {
            return port[at];
        }
        for (int link : trunks[at]) {
            if (topology.link(link).other(at) == lastSwitch) {
                return link;
            }
        }
        return trunks[at][topology.component(to).node() % trunks[at].length];
    }
}

package org.brigade.topology.machine;

import java.util.Arrays;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.Distance;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;

/**
 * Finds the paths within a node: the fewest links, of those the widest, of those the one over the lowest ids. The way
 * back is the same. Data pass CPUs, switches and caches, but not GPUs, adapters, cores or memories.
 */
public final class NodePaths {
    private final Topology topology;

    public NodePaths(Topology topology) {
        this.topology = topology;
    }

    /** Over NVLinks alone if they lead there, otherwise over any links; null if there is no path. */
    public NodePath best(int from, int to) {
        NodePath nvlink = find(from, to, LinkSet.NVLINK);
        return nvlink != null ? nvlink : find(from, to, LinkSet.ALL);
    }

    /** Without NVLinks; null if there is no path. */
    public NodePath withoutNvlink(int from, int to) {
        return find(from, to, LinkSet.NO_NVLINK);
    }

    private enum LinkSet { ALL, NVLINK, NO_NVLINK }

    private NodePath find(int from, int to, LinkSet set) {
        if (from > to) {
            NodePath back = find(to, from, set);
            return back == null ? null : back.reversed();
        }
        int node = topology.component(from).node();
        int size = 0;
        int first = from;
        while (first > 0 && topology.component(first - 1).node() == node) {
            first--;
        }
        while (first + size < topology.components().size() && topology.component(first + size).node() == node) {
            size++;
        }
        int[] links = new int[size];
        int[] hops = new int[size];
        double[] width = new double[size];
        Arrays.fill(hops, -1);
        hops[from - first] = 0;
        width[from - first] = Double.POSITIVE_INFINITY;
        boolean more = from != to;
        for (int hop = 0; more && hops[to - first] < 0; hop++) {
            more = false;
            for (int at = 0; at < size; at++) {
                if (hops[at] == hop && (first + at == from || passable(topology.component(first + at).kind(), set))) {
                    more |= spread(first, at, hops, width, links, set);
                }
            }
        }
        return hops[to - first] < 0 ? null : trace(first, from, to, hops[to - first], links);
    }

    /** Goes one link further from {@code at}; returns whether that found anything. */
    private boolean spread(int first, int at, int[] hops, double[] width, int[] links, LinkSet set) {
        boolean found = false;
        for (int id : topology.linksOf(first + at)) {
            TopologyLink link = topology.link(id);
            int other = link.other(first + at) - first;
            boolean allowed = other >= 0 && other < hops.length
                && (set == LinkSet.ALL || (link.kind() == LinkKind.NVLINK) == (set == LinkSet.NVLINK));
            if (allowed && (hops[other] < 0 || hops[other] == hops[at] + 1)) {
                double narrowest = Math.min(width[at], Math.min(link.forward(), link.backward()));
                if (narrowest > width[other]) {
                    hops[other] = hops[at] + 1;
                    width[other] = narrowest;
                    links[other] = id;
                    found = true;
                }
            }
        }
        return found;
    }

    private static boolean passable(ComponentKind kind, LinkSet set) {
        return kind == ComponentKind.NVSWITCH || set != LinkSet.NVLINK
            && (kind == ComponentKind.CPU || kind == ComponentKind.PCI_SWITCH || kind == ComponentKind.CACHE);
    }

    private NodePath trace(int first, int from, int to, int hops, int[] links) {
        int[] components = new int[hops + 1];
        int[] way = new int[hops];
        components[hops] = to;
        boolean nvlinks = hops > 0;
        boolean between = false;
        int cpus = 0;
        for (int i = hops - 1; i >= 0; i--) {
            way[i] = links[components[i + 1] - first];
            TopologyLink link = topology.link(way[i]);
            components[i] = link.other(components[i + 1]);
            nvlinks &= link.kind() == LinkKind.NVLINK;
            between |= topology.component(link.a()).kind() == ComponentKind.CPU
                && topology.component(link.b()).kind() == ComponentKind.CPU;
            cpus += topology.component(components[i]).kind() == ComponentKind.CPU ? 1 : 0;
        }
        Distance distance = between ? Distance.NODE : cpus > 0 || topology.component(to).kind() == ComponentKind.CPU
            ? Distance.CPU : nvlinks ? Distance.NVLINK : Distance.SWITCH;
        return new NodePath(components, way, distance);
    }
}

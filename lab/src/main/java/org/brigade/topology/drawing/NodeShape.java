package org.brigade.topology.drawing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;

/**
 * Nodes of one kind, of which the first is drawn.
 *
 * @param nodes ascending
 * @param components the first node's
 */
record NodeShape(List<Integer> nodes, List<Component> components) {
    /**
     * All kinds, in order of their first nodes. Nodes are of one kind if their components have the same kinds and
     * names, and their links the same ends and rates.
     */
    static List<NodeShape> of(Topology topology) {
        List<List<Component>> byNode = new ArrayList<>();
        for (int node = 0; node < topology.nodes(); node++) {
            byNode.add(new ArrayList<>());
        }
        Map<Integer, Integer> place = new HashMap<>();
        for (Component component : topology.components()) {
            if (component.node() != Component.NETWORK) {
                place.put(component.id(), byNode.get(component.node()).size());
                byNode.get(component.node()).add(component);
            }
        }
        Map<String, NodeShape> shapes = new LinkedHashMap<>();
        for (int node = 0; node < byNode.size(); node++) {
            List<Component> components = byNode.get(node);
            if (!components.isEmpty()) {
                shapes.computeIfAbsent(signature(topology, node, components, place),
                    key -> new NodeShape(new ArrayList<>(), components)).nodes.add(node);
            }
        }
        return new ArrayList<>(shapes.values());
    }

    private static String signature(Topology topology, int node, List<Component> components,
        Map<Integer, Integer> place) {
        StringBuilder text = new StringBuilder();
        for (Component component : components) {
            text.append(component.kind()).append(' ').append(component.name()).append(':');
            for (int id : topology.linksOf(component.id())) {
                TopologyLink link = topology.link(id);
                Component far = topology.component(link.other(component.id()));
                text.append(link.kind()).append(far.node() == node ? "to " + place.get(far.id()) : far.kind())
                    .append(' ').append(link.rateFrom(component.id()))
                    .append(link.halfDuplex()).append(',');
            }
        }
        return text.toString();
    }

    /** {@code node0}, {@code node0 and 7 alike}. */
    String title() {
        return "node" + nodes.get(0) + (nodes.size() == 1 ? "" : " and " + (nodes.size() - 1) + " alike");
    }
}

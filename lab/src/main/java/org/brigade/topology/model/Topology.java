package org.brigade.topology.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A machine, or a cluster of them, as a graph: components and the links between them. Immutable; made with a
 * {@link Builder}.
 */
public final class Topology {
    private final String name;
    private final List<Component> components;
    private final List<TopologyLink> links;
    /** By component: the ids of its links, ascending. */
    private final int[][] incident;
    private final int nodes;

    private Topology(Builder builder) {
        name = builder.name;
        components = List.copyOf(builder.components);
        links = List.copyOf(builder.links);
        int[] degree = new int[components.size()];
        for (TopologyLink link : links) {
            degree[link.a()]++;
            degree[link.b()]++;
        }
        incident = new int[degree.length][];
        int most = -1;
        for (Component component : components) {
            incident[component.id()] = new int[degree[component.id()]];
            most = Math.max(most, component.node());
        }
        nodes = most + 1;
        for (int id = links.size() - 1; id >= 0; id--) {
            TopologyLink link = links.get(id);
            incident[link.a()][--degree[link.a()]] = id;
            incident[link.b()][--degree[link.b()]] = id;
        }
    }

    public String name() {
        return name;
    }

    /** All components, by id. */
    public List<Component> components() {
        return components;
    }

    /** All links, by id. */
    public List<TopologyLink> links() {
        return links;
    }

    public Component component(int id) {
        return components.get(id);
    }

    public TopologyLink link(int id) {
        return links.get(id);
    }

    /** The ids of a component's links, ascending. Read only. */
    public int[] linksOf(int component) {
        return incident[component];
    }

    /** Number of hosts. */
    public int nodes() {
        return nodes;
    }

    /** The components of one kind, by id. */
    public List<Component> of(ComponentKind kind) {
        List<Component> found = new ArrayList<>();
        for (Component component : components) {
            if (component.kind() == kind) {
                found.add(component);
            }
        }
        return found;
    }

    /** The components of one kind in one node, by id. */
    public List<Component> of(ComponentKind kind, int node) {
        List<Component> found = new ArrayList<>();
        for (Component component : components) {
            if (component.kind() == kind && component.node() == node) {
                found.add(component);
            }
        }
        return found;
    }

    /** Collects components and links, and numbers them in the order of the calls. */
    public static final class Builder {
        private final String name;
        private final List<Component> components = new ArrayList<>();
        private final List<TopologyLink> links = new ArrayList<>();

        public Builder(String name) {
            this.name = name;
        }

        /** Begins with the components and links of another topology, under the same ids. */
        public Builder(Topology start) {
            this(start.name);
            components.addAll(start.components);
            links.addAll(start.links);
        }

        public Component add(ComponentKind kind, int node, String name) {
            return add(kind, node, name, Map.of());
        }

        public Component add(ComponentKind kind, int node, String name, Map<String, String> attributes) {
            Component component = new Component(components.size(), kind, node, name, attributes);
            components.add(component);
            return component;
        }

        /** A link with the same rate in both directions at once. */
        public TopologyLink link(LinkKind kind, Component a, Component b, double rate, double latency) {
            return link(kind, a, b, rate, rate, false, latency);
        }

        public TopologyLink link(LinkKind kind, Component a, Component b, double forward, double backward,
            boolean halfDuplex, double latency) {
            TopologyLink link =
                new TopologyLink(links.size(), kind, a.id(), b.id(), forward, backward, halfDuplex, latency);
            links.add(link);
            return link;
        }

        public Topology build() {
            return new Topology(this);
        }
    }
}

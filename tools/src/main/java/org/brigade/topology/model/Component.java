package org.brigade.topology.model;

import java.util.Map;

/**
 * A part of a machine.
 *
 * @param id its number in its {@link Topology}, from 0
 * @param node the host it belongs to, from 0; {@link #NETWORK} for switches between hosts
 * @param name unique within its node: {@code gpu0}
 * @param attributes what else is known, by name: {@code busid}, {@code numa}, {@code sm}; in the order in which it was
 * told
 */
public record Component(int id, ComponentKind kind, int node, String name, Map<String, String> attributes) {
    public static final int NETWORK = -1;

    public Component {
        attributes = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(attributes));
    }

    /** {@code node3/gpu0}, or {@code leaf12} for what belongs to no node. */
    public String path() {
        return node == NETWORK ? name : "node" + node + "/" + name;
    }

    @Override
    public String toString() {
        return path();
    }
}

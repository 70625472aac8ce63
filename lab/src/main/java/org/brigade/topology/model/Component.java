package org.brigade.topology.model;

import java.util.Map;

/**
 * A part of a machine.
 *
 * @param id its number in its {@link Topology}, from 0
 * @param node its host, from 0; {@link #NETWORK} for switches between hosts
 * @param name unique within its node: {@code gpu0}
 * @param attributes other facts by name: {@code busid}, {@code numa}, {@code sm}; in the order of the source
 */
public record Component(int id, ComponentKind kind, int node, String name, Map<String, String> attributes) {
    public static final int NETWORK = -1;

    public Component {
        attributes = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(attributes));
    }

    /** {@code node3/gpu0}, or {@code leaf12} outside nodes. */
    public String path() {
        return node == NETWORK ? name : "node" + node + "/" + name;
    }

    @Override
    public String toString() {
        return path();
    }
}

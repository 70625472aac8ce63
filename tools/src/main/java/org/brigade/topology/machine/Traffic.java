package org.brigade.topology.machine;

import org.brigade.topology.model.Component;

/**
 * Bytes that move from one component to another without a stop: the unit in which congestion is described, and TCCL
 * measures.
 *
 * @param from GPU or MEMORY
 * @param to GPU or MEMORY; of another node if it goes over the network
 * @param pulled whether the receiving device reads, rather than the sending one writes
 */
public record Traffic(Component from, Component to, boolean pulled) {
    public boolean inNode() {
        return from.node() == to.node();
    }
}

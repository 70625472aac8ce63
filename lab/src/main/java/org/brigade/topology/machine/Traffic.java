package org.brigade.topology.machine;

import org.brigade.topology.model.Component;

/**
 * Bytes that move from one component to another without a stop: the unit of congestion patterns, and of TCCL's
 * measurements.
 *
 * @param from GPU or MEMORY
 * @param to GPU or MEMORY; of another node if it goes over the network
 * @param pulled whether the receiving device reads; else the sending one writes
 */
public record Traffic(Component from, Component to, boolean pulled) {
    public boolean inNode() {
        return from.node() == to.node();
    }
}

package org.brigade.simulate.wiring;

import org.brigade.pattern.CommunicatorTopology;

/**
 * A network on which every message takes a second, whatever its size, and all else takes no time: a call takes as many
 * seconds as its longest chain of messages has steps. Reducing in the network takes two: one to send, one to receive.
 */
public record StepsWiring(int ranks, CommunicatorTopology wires) implements RoutingModel {
    private static final Route ONE = Route.through(Double.POSITIVE_INFINITY, 0, 1);
    private static final Route TWO = Route.through(Double.POSITIVE_INFINITY, 0, 2);

    @Override
    public int resources() {
        return 0;
    }

    @Override
    public double capacity(int resource) {
        throw new IndexOutOfBoundsException(resource);
    }

    @Override
    public String name(int resource) {
        throw new IndexOutOfBoundsException(resource);
    }

    @Override
    public Route route(int from, int to, long bytes) {
        return ONE;
    }

    @Override
    public Route aggregation(int[] masters, int rail, long bytes) {
        return TWO;
    }

    @Override
    public CommunicatorTopology wires(int members, long bytes) {
        return wires;
    }
}

package org.brigade.simulate.wiring;

import java.util.Arrays;
import org.brigade.pattern.CommunicatorTopology;

/**
 * Several networks alike side by side, as machines have them whose nodes have several adapters (rails). Every message
 * takes all of them at once, in equal parts. Where they reduce, each sums a part of the vector.
 */
public final class RailsWiring extends DerivedWiring {
    static final int MOST = 16;

    private final RoutingModel each;
    private final int rails;

    public RailsWiring(RoutingModel each, int rails) {
        super(each);
        this.each = each;
        this.rails = rails;
    }

    @Override
    public int resources() {
        return rails * each.resources();
    }

    @Override
    public double capacity(int resource) {
        return each.capacity(resource % each.resources());
    }

    @Override
    public String name(int resource) {
        return "rail" + resource / each.resources() + " " + each.name(resource % each.resources());
    }

    @Override
    public int crowd(int resource) {
        return each.crowd(resource % each.resources());
    }

    @Override
    public double crowdFactor(int resource) {
        return each.crowdFactor(resource % each.resources());
    }

    @Override
    public Route route(int from, int to, long bytes) {
        Route one = each.route(from, to, bytes);
        int length = one.resources().length;
        int[] resources = new int[rails * length];
        double[] weights = new double[rails * length];
        Arrays.setAll(resources, i -> one.resources()[i % length] + i / length * each.resources());
        Arrays.setAll(weights, i -> one.weights()[i % length] / rails);
        return new Route(resources, weights, rails * one.most(), one.startup(), one.latency());
    }

    @Override
    public Route aggregation(int[] masters, int rail, long bytes) {
        Route one = each.aggregation(masters, 0, bytes);
        if (one == null) {
            return null;
        }
        int[] resources = one.resources().clone();
        Arrays.setAll(resources, i -> resources[i] + rail * each.resources());
        return new Route(resources, one.weights(), one.most(), one.startup(), one.latency());
    }

    @Override
    public CommunicatorTopology wires(int ranks, long bytes) {
        CommunicatorTopology wires = each.wires(ranks, bytes);
        return wires.reducedBetween() == null ? wires : wires.reducing(wires.reducedBetween(), rails);
    }

    @Override
    public int nodes(int ranks) {
        return each.nodes(ranks);
    }
}

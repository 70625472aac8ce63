package org.brigade.simulate.wiring;

import java.util.Arrays;
import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.RoutingModel;

/**
 * Resources with given capacities, for transfers that tests make up themselves; between ranks it leads over all of
 * them.
 */
public class SharedResources implements RoutingModel {
    private final double[] capacities;
    private final int[] crowds;
    private final double[] factors;

    public SharedResources(double... capacities) {
        this.capacities = capacities;
        crowds = new int[capacities.length];
        factors = new double[capacities.length];
        Arrays.fill(crowds, Integer.MAX_VALUE);
        Arrays.fill(factors, 1);
    }

    public SharedResources crowd(int resource, int most, double factor) {
        crowds[resource] = most;
        factors[resource] = factor;
        return this;
    }

    @Override
    public int ranks() {
        return 2;
    }

    @Override
    public int resources() {
        return capacities.length;
    }

    @Override
    public double capacity(int resource) {
        return capacities[resource];
    }

    @Override
    public String name(int resource) {
        return "resource" + resource;
    }

    @Override
    public Route route(int from, int to, long bytes) {
        int[] all = new int[capacities.length];
        Arrays.setAll(all, i -> i);
        return Route.through(Double.POSITIVE_INFINITY, 0, 0, all);
    }

    @Override
    public Route reduction(int rank, long bytes) {
        return Route.FREE;
    }

    @Override
    public Route copy(int rank, long bytes) {
        return Route.FREE;
    }

    @Override
    public int crowd(int resource) {
        return crowds[resource];
    }

    @Override
    public double crowdFactor(int resource) {
        return factors[resource];
    }
}

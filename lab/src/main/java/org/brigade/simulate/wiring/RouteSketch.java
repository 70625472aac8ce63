package org.brigade.simulate.wiring;

import java.util.Arrays;
import org.brigade.topology.machine.TransferCost;

/** A route under construction. A resource that is passed twice counts twice. */
public final class RouteSketch {
    private int[] resources = new int[12];
    private double[] weights = new double[12];
    private int size;
    private double most = Double.POSITIVE_INFINITY;
    private double latency;

    void use(int resource, double weight) {
        for (int i = 0; i < size; i++) {
            if (resources[i] == resource) {
                weights[i] += weight;
                return;
            }
        }
        if (size == resources.length) {
            resources = Arrays.copyOf(resources, 2 * size);
            weights = Arrays.copyOf(weights, 2 * size);
        }
        resources[size] = resource;
        weights[size++] = weight;
    }

    void atMost(double rate) {
        most = Math.min(most, rate);
    }

    void late(double seconds) {
        latency += seconds;
    }

    /** Bytes/s with nothing else on the machine. */
    double alone(MachineResources of) {
        double rate = most;
        for (int i = 0; i < size; i++) {
            rate = Math.min(rate, of.capacity(resources[i]) / weights[i]);
        }
        return rate;
    }

    public Route route(TransferCost cost) {
        return new Route(Arrays.copyOf(resources, size), Arrays.copyOf(weights, size), Math.min(most, cost.most()),
            cost.startup(), latency + cost.latency());
    }
}

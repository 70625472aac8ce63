package org.brigade.simulate.wiring;

import java.util.Arrays;

/**
 * The network of textbook equations: every rank has one port, which sends and receives at once, and a wire to every
 * other rank. A message of m bytes takes {@code startup + m / bytesPerSecond}, and all that time of the sender's port
 * out and of the receiver's port in: many senders wait for one receiver, and the messages of several lanes for their
 * rank's port. Messages that want a port at once share it. A signal takes {@code startup} of its sender alone.
 * Reductions are free, and so are copies within a rank unless a rate is given.
 */
public record IdealWiring(int ranks, double bytesPerSecond, double startup, double copyRate) implements RoutingModel {
    /** Copies within a rank are free. */
    public IdealWiring(int ranks, double bytesPerSecond, double startup) {
        this(ranks, bytesPerSecond, startup, Double.POSITIVE_INFINITY);
    }

    @Override
    public int resources() {
        return 2 * ranks;
    }

    @Override
    public double capacity(int resource) {
        return bytesPerSecond;
    }

    @Override
    public String name(int resource) {
        return "rank" + resource / 2 + (resource % 2 == 0 ? " out" : " in");
    }

    @Override
    public Route route(int from, int to, long bytes) {
        if (bytes == 0) {
            return Route.through(Double.POSITIVE_INFINITY, startup, 0);
        }
        double occupied = occupied(bytes);
        return new Route(new int[] {2 * from, 2 * to + 1}, new double[] {occupied, occupied}, Double.POSITIVE_INFINITY,
            0, 0);
    }

    /** The network takes in every rank's vector and gives all the sum as it arrives, by the port of each master. */
    @Override
    public Route aggregation(int[] masters, int rail, long bytes) {
        int[] ports = new int[2 * masters.length];
        double[] weights = new double[ports.length];
        Arrays.fill(weights, occupied(bytes));
        for (int i = 0; i < masters.length; i++) {
            ports[2 * i] = 2 * masters[i];
            ports[2 * i + 1] = 2 * masters[i] + 1;
        }
        return new Route(ports, weights, Double.POSITIVE_INFINITY, 0, 0);
    }

    /** What a byte takes of a port, with its part of the start-up. */
    private double occupied(long bytes) {
        return 1 + startup * bytesPerSecond / bytes;
    }

    @Override
    public Route copy(int rank, long bytes) {
        return Route.through(copyRate, 0, 0);
    }

    /** As if all ranks were on one node. */
    @Override
    public MemoryModel memory(int members) {
        return new IdealMemory(this);
    }
}

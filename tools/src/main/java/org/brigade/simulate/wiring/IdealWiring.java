package org.brigade.simulate.wiring;

/**
 * The network of textbook equations: every rank has a wire to every other, sends at up to {@code bytesPerSecond} in all
 * and receives as much at the same time. A message first costs its sender {@code startup} seconds. Reductions are free,
 * and so are copies within a rank unless a rate is given.
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
        return Route.through(Double.POSITIVE_INFINITY, startup, 0, 2 * from, 2 * to + 1);
    }

    @Override
    public Route copy(int rank, long bytes) {
        return Route.through(copyRate, 0, 0);
    }
}

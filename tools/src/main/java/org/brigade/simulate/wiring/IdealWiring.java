package org.brigade.simulate.wiring;

/**
 * The network of textbook equations: every rank has a wire to every other, sends at up to {@code bytesPerSecond} in all
 * and receives as much at the same time. A message first costs its sender {@code startup} seconds. Reductions are free,
 * and so are copies within a rank unless a rate is given.
 */
public final class IdealWiring implements RoutingModel {
    private final int ranks;
    private final double bytesPerSecond;
    private final double startup;
    private final Route copy;

    /** Copies within a rank are free. */
    public IdealWiring(int ranks, double bytesPerSecond, double startup) {
        this(ranks, bytesPerSecond, startup, Double.POSITIVE_INFINITY);
    }

    /** @param copyRate bytes/s of copies within a rank, which have no start-up */
    public IdealWiring(int ranks, double bytesPerSecond, double startup, double copyRate) {
        this.ranks = ranks;
        this.bytesPerSecond = bytesPerSecond;
        this.startup = startup;
        copy = Route.through(copyRate, 0, 0);
    }

    @Override
    public int ranks() {
        return ranks;
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
    public Route reduction(int rank, long bytes) {
        return Route.FREE;
    }

    @Override
    public Route copy(int rank, long bytes) {
        return copy;
    }
}

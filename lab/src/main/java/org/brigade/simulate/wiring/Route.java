package org.brigade.simulate.wiring;

/**
 * How a message travels: it takes {@code latency + bytes / rate}, where the rate is its fair share of every resource on
 * the way.
 *
 * @param resources numbers of the shared resources that it uses ({@link RoutingModel#capacity}). A resource used twice
 * is named twice, or once with both weights
 * @param weights by resource, the bytes of its capacity that one byte of the message takes: 1 for a wire, 2 for a
 * memory that is written and read
 * @param most limit in bytes/s; infinite if only the resources limit it (without resources, its bytes take no time)
 * @param startup seconds that the sender is occupied before the first byte moves (ts); meanwhile it can start nothing
 * else on that lane
 * @param latency seconds from the last byte's leaving to its arrival, in which the sender is free again
 */
public record Route(int[] resources, double[] weights, double most, double startup, double latency) {
    /** A route that costs nothing. */
    public static final Route FREE = new Route(new int[0], new double[0], Double.POSITIVE_INFINITY, 0, 0);

    public Route {
        boolean sound = resources.length == weights.length && most > 0 && startup >= 0 && latency >= 0;
        for (int i = 0; sound && i < weights.length; i++) {
            sound = weights[i] > 0 && weights[i] < Double.POSITIVE_INFINITY;
        }
        if (!sound) {
            throw new IllegalArgumentException(resources.length + " resources, " + weights.length + " weights, at most "
                + most + " bytes/s, startup " + startup
                + " s, latency " + latency
                + " s: a route needs a positive weight for each resource, a positive limit, and times of 0 or more");
        }
    }

    /** A route that uses each resource once. */
    public static Route through(double most, double startup, double latency, int... resources) {
        double[] weights = new double[resources.length];
        java.util.Arrays.fill(weights, 1);
        return new Route(resources, weights, most, startup, latency);
    }

    /** Whether its bytes take no time. */
    public boolean instant() {
        return resources.length == 0 && most == Double.POSITIVE_INFINITY;
    }

    /**
     * Both at once, byte by byte: what moves on this route is processed on the other as it arrives. It starts as this
     * one; the other's start-up and latency follow the last byte.
     */
    public Route feeding(Route other) {
        int[] both = java.util.Arrays.copyOf(resources, resources.length + other.resources.length);
        double[] all = java.util.Arrays.copyOf(weights, both.length);
        System.arraycopy(other.resources, 0, both, resources.length, other.resources.length);
        System.arraycopy(other.weights, 0, all, resources.length, other.weights.length);
        return new Route(both, all, Math.min(most, other.most), startup, latency + other.startup + other.latency);
    }
}

package org.brigade.simulate.wiring;

/**
 * How a message travels, once it is under way: it takes {@code latency + bytes / rate}, where the rate is its fair
 * share of every resource on the way.
 *
 * @param resources numbers of the shared resources it uses ({@link RoutingModel#capacity}). One on the way twice is
 * named twice, or once with both weights
 * @param weights for each, how many bytes of the resource's capacity one byte of the message takes: 1 for a wire, 2 for
 * a memory that it is written to and read from
 * @param most bytes/s that it can never exceed, whatever is free; infinite if only the resources limit it (without any:
 * its bytes take no time)
 * @param startup seconds that the sender is occupied before the first byte moves (ts): it can start nothing else on
 * that lane meanwhile
 * @param latency seconds between the last byte's leaving and its arrival, in which the sender is free again
 */
public record Route(int[] resources, double[] weights, double most, double startup, double latency) {
    /** What costs nothing. */
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

    /** Whether bytes on it take no time. */
    public boolean instant() {
        return resources.length == 0 && most == Double.POSITIVE_INFINITY;
    }

    /**
     * Both at once, byte by byte: what moves on this is worked on there as it arrives. It starts as this starts; the
     * other's start-up and latency come behind the last byte.
     */
    public Route feeding(Route other) {
        int[] both = java.util.Arrays.copyOf(resources, resources.length + other.resources.length);
        double[] all = java.util.Arrays.copyOf(weights, both.length);
        System.arraycopy(other.resources, 0, both, resources.length, other.resources.length);
        System.arraycopy(other.weights, 0, all, resources.length, other.weights.length);
        return new Route(both, all, Math.min(most, other.most), startup, latency + other.startup + other.latency);
    }
}

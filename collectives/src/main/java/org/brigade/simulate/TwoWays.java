package org.brigade.simulate;

import java.util.Arrays;

/**
 * Two routes that carry parts of one message side by side: what share of the bytes each should have. For a share s of the second way every resource takes (1 - s) times its weight on the first
 * and s times that on the second for a byte of the message; the time for a byte is the largest of these over the capacities, which are straight lines in s. The best share is therefore 0, 1 or
 * where two lines cross.
 */
final class TwoWays {
    private final Route first;
    private final Route second;
    private final int[] resources;
    /** Seconds for a byte of the message on each resource, and by each way's own limit: at share 0, and at share 1. */
    private final double[] atNone;
    private final double[] atAll;

    TwoWays(Wiring wiring, Route first, Route second) {
        this.first = first;
        this.second = second;
        int[] all = Arrays.copyOf(first.resources(), first.resources().length + second.resources().length);
        System.arraycopy(second.resources(), 0, all, first.resources().length, second.resources().length);
        resources = Arrays.stream(all).distinct().toArray();
        atNone = new double[resources.length + 2];
        atAll = new double[resources.length + 2];
        for (int i = 0; i < resources.length; i++) {
            atNone[i] = weight(first, resources[i]) / wiring.capacity(resources[i]);
            atAll[i] = weight(second, resources[i]) / wiring.capacity(resources[i]);
        }
        atNone[resources.length] = 1 / first.most();
        atAll[resources.length + 1] = 1 / second.most();
    }

    private static double weight(Route route, int resource) {
        for (int i = 0; i < route.resources().length; i++) {
            if (route.resources()[i] == resource) {
                return route.weights()[i];
            }
        }
        return 0;
    }

    /** Bytes/s of the whole message with nothing else on the machine, if {@code share} of it takes the second way. */
    double rate(double share) {
        double longest = 0;
        for (int i = 0; i < atNone.length; i++) {
            longest = Math.max(longest, (1 - share) * atNone[i] + share * atAll[i]);
        }
        return 1 / longest;
    }

    /** The share at which {@link #rate} is highest; the least such. */
    double bestShare() {
        double best = 0;
        double rate = rate(0);
        for (int i = 0; i < atNone.length; i++) {
            for (int k = 0; k < i; k++) {
                double crossing = (atNone[i] - atNone[k]) / (atNone[i] - atNone[k] - atAll[i] + atAll[k]);
                if (crossing > 0 && crossing <= 1 && rate(crossing) > rate * (1 + 1e-12)) {
                    best = crossing;
                    rate = rate(crossing);
                }
            }
        }
        return rate(1) > rate * (1 + 1e-12) ? 1 : best;
    }

    /** Both at once as one flow. */
    Route route(double share) {
        int used = 0;
        int[] those = new int[resources.length];
        double[] weights = new double[resources.length];
        for (int resource : resources) {
            double weight = (1 - share) * weight(first, resource) + share * weight(second, resource);
            if (weight > 0) {
                those[used] = resource;
                weights[used++] = weight;
            }
        }
        double most = Math.min(first.most() / (1 - share), second.most() / share);
        double startup = share == 0 ? first.startup() : share == 1 ? second.startup() : first.startup() + second.startup();
        double latency = share == 0 ? first.latency() : share == 1 ? second.latency() : Math.max(first.latency(), second.latency());
        return new Route(Arrays.copyOf(those, used), Arrays.copyOf(weights, used), most, startup, latency);
    }
}

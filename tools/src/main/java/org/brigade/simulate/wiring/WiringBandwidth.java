package org.brigade.simulate.wiring;

import org.brigade.pattern.ChainBandwidth;
import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.RoutingModel;

/** The bandwidth of chains on a {@link RoutingModel}: the fair shares of its resources that their transfers get. */
public final class WiringBandwidth implements ChainBandwidth {
    private final RoutingModel wiring;
    private final long bytes;

    /** @param bytes of a message, which may influence its path */
    public WiringBandwidth(RoutingModel wiring, long bytes) {
        this.wiring = wiring;
        this.bytes = bytes;
    }

    @Override
    public double of(int[] ranks, int from, int to) {
        if (to - from < 2) {
            return Double.POSITIVE_INFINITY;
        }
        Route[] routes = new Route[to - from - 1];
        for (int i = 0; i < routes.length; i++) {
            routes[i] = wiring.route(ranks[from + i], ranks[from + i + 1], bytes);
        }
        double least = Double.POSITIVE_INFINITY;
        for (double rate : FairShare.rates(wiring, routes)) {
            least = Math.min(least, rate);
        }
        return least;
    }
}

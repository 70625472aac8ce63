package org.brigade.simulate.wiring;

import org.brigade.pattern.ChainBandwidth;
import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.RoutingModel;

/**
 * What chains come to on a {@link RoutingModel}: the fair shares that their transfers have of its resources.
 *
 * @param bytes of a message, by which the wiring may choose its way
 */
public record WiringBandwidth(RoutingModel wiring, long bytes) implements ChainBandwidth {
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

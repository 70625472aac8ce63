package org.brigade.simulate.flow;

import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.RoutingModel;

/** What a profiler would measure for transfers that begin at once, without any schedule. */
public final class TransferSets {
    private TransferSets() {
    }

    /**
     * By transfer, the seconds from the common start to its end: start-up, bytes at fair shares (which grow when
     * another transfer ends), latency.
     *
     * @param bytes of each transfer
     */
    public static double[] seconds(RoutingModel wiring, long bytes, Route... routes) {
        EventQueue queue = new EventQueue();
        FlowNetwork network = new FlowNetwork(wiring, queue, null);
        network.reserve(routes.length);
        double[] seconds = new double[routes.length];
        boolean[] moving = new boolean[routes.length];
        for (int i = 0; i < routes.length; i++) {
            queue.put(i, Clock.of(routes[i].startup()));
        }
        while (!queue.isEmpty()) {
            long now = queue.time();
            do {
                int transfer = queue.take();
                Route route = routes[transfer];
                if (!moving[transfer] && bytes > 0 && !route.instant()) {
                    moving[transfer] = true;
                    network.begin(transfer, route, bytes, now);
                } else {
                    if (moving[transfer]) {
                        network.end(transfer, now);
                    }
                    seconds[transfer] = Clock.seconds(now) + route.latency();
                }
            } while (!queue.isEmpty() && queue.time() == now);
            network.settle(now);
        }
        return seconds;
    }

    /**
     * The bandwidth of the slowest of equally long transfers that begin at once, in bytes/s: the result of a
     * synchronised measurement.
     */
    public static double bandwidth(RoutingModel wiring, long bytes, Route... routes) {
        double slowest = 0;
        for (double one : seconds(wiring, bytes, routes)) {
            slowest = Math.max(slowest, one);
        }
        return slowest == 0 ? Double.POSITIVE_INFINITY : bytes / slowest;
    }
}

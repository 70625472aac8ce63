package org.brigade.simulate.flow;

import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.RoutingModel;

/** What a profiler would measure of transfers that begin at once, without any schedule. */
public final class TransferSets {
    private TransferSets() {
    }

    /**
     * When each of some transfers has ended, in seconds since all of them began: start-up, bytes at fair shares
     * (others' shares grow when one ends), latency.
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
     * Bytes/s that the slowest of some transfers of as many bytes each reaches when all begin at once: what a
     * synchronised measurement reports.
     */
    public static double bandwidth(RoutingModel wiring, long bytes, Route... routes) {
        double slowest = 0;
        for (double one : seconds(wiring, bytes, routes)) {
            slowest = Math.max(slowest, one);
        }
        return slowest == 0 ? Double.POSITIVE_INFINITY : bytes / slowest;
    }
}

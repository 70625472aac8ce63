package org.brigade.simulate.wiring;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.brigade.pattern.Chains;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Order;
import org.brigade.pattern.TransferRoute;

/**
 * Of the orders that a profile has found and those known before, the faster, hop by hop by the way that was found or by
 * the wiring's usual one. A profile knows only the ways that its search tries, and how they share the links of one node
 * and of two neighbours.
 */
final class FasterOrders implements Chains {
    /** Ways are chosen for messages without a limit of length. */
    private static final long LONG = Long.MAX_VALUE;
    /** Rates within this factor are equal. */
    private static final double ALIKE = 1 + 1e-9;

    private final RoutingModel wiring;
    private final Chains found;
    private final CommunicatorTopology known;

    /** What all hops together ask of a resource, for each byte of a message. */
    private static final class Load {
        private double bytes;
        private int streams;
    }

    FasterOrders(RoutingModel wiring, Chains found, CommunicatorTopology known) {
        this.wiring = wiring;
        this.found = found;
        this.known = known;
    }

    Order ring(Order searched) {
        return faster(searched, known.order(wiring.ranks()), wiring.ranks());
    }

    @Override
    public Order from(int root) {
        Order chain = found.from(root);
        Order usual = known.chain(root, wiring.ranks());
        return chain == null ? usual : faster(chain, startingAt(root, usual), wiring.ranks() - 1);
    }

    /** Chains along an order begin at the root and go around its end. */
    private static Order startingAt(int root, Order order) {
        int ranks = order.ranks();
        int[] sequence = new int[ranks];
        TransferRoute[] ways = new TransferRoute[ranks];
        for (int i = 0; i < ranks; i++) {
            int position = (order.position(root) + i) % ranks;
            sequence[i] = order.rank(position);
            ways[i] = order.way(position);
        }
        return Order.of(sequence).by(ways);
    }

    /** Of equally fast ones the usual order: fewer hops of it may be slow. */
    private Order faster(Order searched, Order usual, int hops) {
        Set<TransferRoute> ways = new LinkedHashSet<>();
        for (int position = 0; position < hops; position++) {
            ways.add(searched.way(position));
        }
        ways.remove(null);
        Order best = searched;
        for (TransferRoute way : ways) {
            Order other = without(best, way);
            best = rate(other, hops) > rate(best, hops) * ALIKE ? other : best;
        }
        for (Order other : new Order[] {searched.by(new TransferRoute[searched.ranks()]), usual}) {
            best = rate(best, hops) > rate(other, hops) * ALIKE ? best : other;
        }
        return best;
    }

    /** The same order, and the usual way for all hops that go by this one. */
    private static Order without(Order order, TransferRoute way) {
        TransferRoute[] ways = new TransferRoute[order.ranks()];
        for (int position = 0; position < ways.length; position++) {
            TransferRoute here = order.way(position);
            ways[position] = way.equals(here) ? null : here;
        }
        return order.by(ways);
    }

    /** Bytes/s of each hop when all keep pace with the slowest, as those of a long ring or chain do. */
    private double rate(Order order, int hops) {
        double rate = Double.POSITIVE_INFINITY;
        Map<Integer, Load> loads = new HashMap<>();
        for (int position = 0; position < hops; position++) {
            Route route = wiring.route(order.rank(position), order.rank((position + 1) % order.ranks()), LONG,
                order.way(position));
            rate = Math.min(rate, route.most());
            for (int i = 0; i < route.resources().length; i++) {
                Load load = loads.computeIfAbsent(route.resources()[i], resource -> new Load());
                load.bytes += route.weights()[i];
                load.streams += FairShare.streams(route.weights()[i]);
            }
        }
        for (Map.Entry<Integer, Load> each : loads.entrySet()) {
            int resource = each.getKey();
            Load load = each.getValue();
            double crowd = load.streams > wiring.crowd(resource) ? wiring.crowdFactor(resource) : 1;
            rate = Math.min(rate, wiring.capacity(resource) * crowd / load.bytes);
        }
        return rate;
    }
}

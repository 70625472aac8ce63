package org.brigade.topology.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.brigade.topology.profile.MeasuredPath;
import org.brigade.topology.profile.NetworkProfile.Visit;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.Transfer;

/**
 * The fastest ring and chains over nodes of a network. All flows of a path run at once, so links that they share count.
 *
 * <p>
 * No path is faster than the slowest of its nodes is alone. First the nodes in the order given, and the shortest tour
 * by their distances, are measured: nodes of one rack are near each other. If none of these reaches what the nodes
 * allow, a {@link PathSearch} follows, in which nodes stand for GPUs and a message is the only way from one to another;
 * after {@value #MOST} measurements for each node it ends with the best path so far.
 */
public final class NodeSearch {
    private static final int MOST = 12;

    private final int nodes;
    private final double tolerance;
    private final IsomorphismCache meter;
    private final PathSearch search;
    private final List<Integer> tour;
    /** By node: bytes/s that it can send to some node, and receive from some node. */
    private final double[] sends;
    private final double[] receives;
    private int left;
    private Visit ring;
    private final Map<Integer, Visit> chains = new TreeMap<>();

    /** A search has taken enough measurements. */
    private static final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1;

        Enough() {
            super(null, null, false, false);
        }
    }

    /**
     * @param distances [node][node]: how near nodes are, such as the time of a short message; any unit
     * @param cache makes a cache of measurements for a layout
     * @param tolerance a path counts as fastest up to this share
     * @param warnings receives a sentence when measurements contradict each other
     */
    public NodeSearch(double[][] distances, Function<NodeLayout, IsomorphismCache> cache, double tolerance,
        Consumer<String> warnings) {
        this.nodes = distances.length;
        this.tolerance = tolerance;
        this.tour = ShortTour.over(distances);
        this.sends = new double[nodes];
        this.receives = new double[nodes];
        NodeLayout layout = layout(nodes);
        this.meter = cache.apply(layout);
        String kind = message(0, 1).type() + " ";
        this.search = new PathSearch(layout, this::bounded, List.of(Mover.MEMCPY), tolerance,
            warning -> warnings.accept(warning.replace(kind, "node ")), true);
    }

    /** All nodes reach each other, and no two are known to be alike. */
    private static NodeLayout layout(int nodes) {
        boolean[][] peers = new boolean[nodes][nodes];
        int[][] relation = new int[nodes][nodes];
        for (int node = 0; node < nodes; node++) {
            Arrays.fill(peers[node], true);
            relation[node][node] = node;
        }
        return new NodeLayout(1, new int[nodes], new int[0], peers, relation, new int[1][1]);
    }

    /** A message from one node to another. */
    public static Transfer message(int from, int to) {
        return Mover.MEMCPY.write(from, to);
    }

    private double bounded(TransferSet set) {
        int before = meter.measurements();
        double bandwidth = meter.bandwidth(set);
        left -= meter.measurements() - before;
        if (left < 0) {
            throw new Enough();
        }
        return bandwidth;
    }

    /** The fastest ring over all nodes. */
    public Visit ring() {
        if (ring == null) {
            single();
            double most = Math.min(Arrays.stream(sends).min().orElseThrow(),
                Arrays.stream(receives).min().orElseThrow());
            List<Integer> backwards = new ArrayList<>(tour);
            Collections.reverse(backwards);
            ring = fastest(List.of(IntStream.range(0, nodes).boxed().toList(), tour, backwards), true, most,
                () -> search.ring((1 << nodes) - 1));
        }
        return ring;
    }

    /** Measures every message alone. */
    private void single() {
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                if (from != to) {
                    double alone = meter.bandwidth(TransferSet.of(message(from, to)));
                    sends[from] = Math.max(sends[from], alone);
                    receives[to] = Math.max(receives[to], alone);
                }
            }
        }
    }

    /** The fastest chain over all nodes that begins with {@code start}. */
    public Visit chain(int start) {
        Visit known = chains.get(start);
        if (known == null) {
            List<Integer> along = from(start, ring().nodes());
            List<Integer> backwards = new ArrayList<>(along);
            Collections.reverse(backwards);
            // The last one sends nothing: best the slowest.
            int slowest = -1;
            double most = sends[start];
            for (int node = 0; node < nodes; node++) {
                if (node != start) {
                    slowest = slowest < 0 || sends[node] < sends[slowest] ? node : slowest;
                    most = Math.min(most, receives[node]);
                }
            }
            for (int node = 0; node < nodes; node++) {
                most = node == slowest ? most : Math.min(most, sends[node]);
            }
            List<Integer> slowestLast = new ArrayList<>(along);
            slowestLast.remove((Integer) slowest);
            slowestLast.add(slowest);
            known = fastest(List.of(along, from(start, backwards), slowestLast), false, most,
                () -> search.chain((1 << nodes) - 1, start));
            chains.put(start, known);
        }
        return known;
    }

    private static List<Integer> from(int start, List<Integer> circle) {
        List<Integer> order = new ArrayList<>(circle);
        Collections.rotate(order, -order.indexOf(start));
        return order;
    }

    /** The first of these orders that reaches {@code most}, or the fastest of them and of a search. */
    private Visit fastest(List<List<Integer>> orders, boolean closed, double most, Supplier<MeasuredPath> searched) {
        Visit best = null;
        for (List<Integer> order : orders) {
            double bandwidth = meter.bandwidth(hops(order, closed));
            if (best == null || bandwidth > best.bandwidth() * (1 + tolerance)) {
                best = new Visit(bandwidth, order);
            }
            if (best.bandwidth() >= most / (1 + tolerance)) {
                return best;
            }
        }
        left = MOST * nodes;
        try {
            MeasuredPath found = searched.get();
            return found.bandwidth() > best.bandwidth() * (1 + tolerance)
                ? new Visit(found.bandwidth(), found.gpus()) : best;
        } catch (Enough e) {
            return best;
        }
    }

    private static TransferSet hops(List<Integer> order, boolean closed) {
        List<Transfer> hops = new ArrayList<>();
        for (int i = closed ? 0 : 1; i < order.size(); i++) {
            hops.add(message(order.get((i + order.size() - 1) % order.size()), order.get(i)));
        }
        return TransferSet.of(hops);
    }

    /** The chains found so far, by first node. */
    public Map<Integer, Visit> chains() {
        return Collections.unmodifiableMap(chains);
    }

    /** How many measurements it takes if all nodes are alike: the least. */
    public static int expected(int nodes) {
        int[] count = new int[1];
        NodeSearch alike = new NodeSearch(new double[nodes][nodes], layout -> new IsomorphismCache(layout, set -> {
            count[0]++;
            return 1;
        }), 0, warning -> {});
        for (int node = 0; node < nodes; node++) {
            alike.chain(node);
        }
        return count[0];
    }
}

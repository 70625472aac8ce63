package org.brigade.topology.profile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.brigade.pattern.Chains;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Order;
import org.brigade.pattern.TransferRoute;

/**
 * The order of ranks in which a ring or chain follows the fastest measured path, and the paths from rank to rank. Each
 * rank is on a node, and on one of its devices as a {@link PathProfile} numbers them. All nodes have the same profile.
 * Ranks of one device follow each other.
 */
public final class ProfiledOrder implements Chains {
    private final PathProfile profile;
    private final int[] deviceOf;
    /** By node, in the order of lowest ranks: its ranks, ascending. */
    private final List<List<Integer>> ranksOf;
    private final NodeOrder between;

    /** As below; nodes follow each other in the order of their lowest ranks. */
    public ProfiledOrder(PathProfile profile, int[] nodeOf, int[] deviceOf) {
        this(profile, nodeOf, deviceOf, null);
    }

    /**
     * @param nodeOf by rank its node: any numbers, the same for ranks of one node
     * @param deviceOf by rank its device's index in the profile
     * @param between the order of the nodes; null: that of their lowest ranks
     */
    public ProfiledOrder(PathProfile profile, int[] nodeOf, int[] deviceOf, NodeOrder between) {
        this.profile = profile;
        this.deviceOf = deviceOf.clone();
        for (int rank = 0; rank < nodeOf.length; rank++) {
            if (deviceOf[rank] < 0 || deviceOf[rank] >= profile.gpus()) {
                throw new IllegalArgumentException(
                    "rank " + rank + " is on device " + deviceOf[rank] + ", and the profile has " + profile.gpus());
            }
        }
        ranksOf = NodeByNode.ranksOfNodes(nodeOf);
        this.between = between != null ? between : NodeOrder.byNumber(ranksOf.size());
    }

    /** The ranks in the order of the fastest ring; null if the profile has none. */
    public Order ring() {
        if (ranksOf.size() == 1) {
            int mask = mask(0);
            MeasuredPath ring = Integer.bitCount(mask) == 1 ? single(mask) : profile.ring(mask);
            return ring == null ? null : ranks(List.of(0), List.of(alone(ring)), -1);
        }
        List<Integer> nodes = nodes(between.ring());
        List<List<CrossedPath>> through = new ArrayList<>();
        for (int node : nodes) {
            through.add(both(profile.crossed(mask(node))));
        }
        List<CrossedPath> paths = merged(through, true);
        return paths != null ? ranks(nodes, paths, -1) : apart(nodes, -1);
    }

    /** The ranks in the order of the fastest chain from a rank; null if the profile has none. */
    @Override
    public Order from(int root) {
        int first = 0;
        while (!ranksOf.get(first).contains(root)) {
            first++;
        }
        List<Integer> nodes = nodes(between.from(first));
        if (nodes.size() == 1) {
            return apart(nodes, root);
        }
        List<List<CrossedPath>> through = new ArrayList<>();
        for (int n = 0; n < nodes.size(); n++) {
            List<CrossedPath> all = profile.crossed(mask(nodes.get(n)));
            through.add(n == 0 ? beginning(all, deviceOf[root]) : n == nodes.size() - 1 ? ending(all) : both(all));
        }
        List<CrossedPath> paths = merged(through, false);
        return paths != null ? ranks(nodes, paths, root) : apart(nodes, root);
    }

    /**
     * Bytes/s of the ring's slowest transfer with all under way; 0 if the profile has none, as for nodes whose links
     * were not measured.
     */
    public double ringBandwidth() {
        if (ranksOf.size() == 1) {
            MeasuredPath ring = profile.ring(mask(0));
            return ring == null ? 0 : ring.bandwidth();
        }
        List<List<CrossedPath>> through = new ArrayList<>();
        for (int node : between.ring()) {
            through.add(both(profile.crossed(mask(node))));
        }
        BottleneckMerge.Result merged = merge(through, crossings(through), true);
        return merged == null ? 0 : merged.bandwidth();
    }

    private static List<Integer> nodes(int[] order) {
        return Arrays.stream(order).boxed().toList();
    }

    private int mask(int node) {
        int mask = 0;
        for (int rank : ranksOf.get(node)) {
            mask |= 1 << deviceOf[rank];
        }
        return mask;
    }

    private static MeasuredPath single(int mask) {
        return new MeasuredPath(1, List.of(Integer.numberOfTrailingZeros(mask)), List.of());
    }

    private static List<CrossedPath> both(List<CrossedPath> all) {
        List<CrossedPath> found = new ArrayList<>();
        for (CrossedPath path : all) {
            if (path.head() != null && path.tail() != null) {
                found.add(path);
            }
        }
        return found;
    }

    private static List<CrossedPath> beginning(List<CrossedPath> all, int device) {
        List<CrossedPath> found = new ArrayList<>();
        for (CrossedPath path : all) {
            if (path.head() == null && path.path().gpus().get(0) == device) {
                found.add(path);
            }
        }
        return found;
    }

    private static List<CrossedPath> ending(List<CrossedPath> all) {
        List<CrossedPath> found = new ArrayList<>();
        for (CrossedPath path : all) {
            if (path.tail() == null) {
                found.add(path);
            }
        }
        return found;
    }

    /** Numbers the crossings of these paths; null (no crossing) is not included. */
    private static Map<Crossing, Integer> crossings(List<List<CrossedPath>> through) {
        Map<Crossing, Integer> numbers = new LinkedHashMap<>();
        for (List<CrossedPath> paths : through) {
            for (CrossedPath path : paths) {
                if (path.head() != null) {
                    numbers.putIfAbsent(path.head(), numbers.size());
                }
                if (path.tail() != null) {
                    numbers.putIfAbsent(path.tail(), numbers.size());
                }
            }
        }
        return numbers;
    }

    private static BottleneckMerge.Result merge(List<List<CrossedPath>> through, Map<Crossing, Integer> numbers,
        boolean ring) {
        if (numbers.isEmpty()) {
            return null;
        }
        List<double[][]> tables = new ArrayList<>();
        for (int n = 0; n < through.size(); n++) {
            double[][] table =
                new double[!ring && n == 0 ? 1 : numbers.size()][!ring && n == through.size() - 1 ? 1 : numbers.size()];
            for (CrossedPath path : through.get(n)) {
                table[path.head() == null ? 0 : numbers.get(path.head())][path.tail() == null ? 0
                    : numbers.get(path.tail())] = path.path().bandwidth();
            }
            tables.add(table);
        }
        return ring ? BottleneckMerge.ring(tables) : BottleneckMerge.chain(tables);
    }

    /** The paths through the nodes of the fastest ring or chain of nodes; null if there is none. */
    private static List<CrossedPath> merged(List<List<CrossedPath>> through, boolean ring) {
        Map<Crossing, Integer> numbers = crossings(through);
        BottleneckMerge.Result merged = merge(through, numbers, ring);
        if (merged == null) {
            return null;
        }
        List<CrossedPath> paths = new ArrayList<>();
        for (int n = 0; n < through.size(); n++) {
            for (CrossedPath path : through.get(n)) {
                boolean head = path.head() == null || numbers.get(path.head()) == merged.crossings()[n];
                boolean tail = path.tail() == null || numbers.get(path.tail()) == merged.crossings()[n + 1];
                if (head && tail) {
                    paths.add(path);
                    break;
                }
            }
        }
        return paths;
    }

    /**
     * Nodes one after the other, each by its own fastest chain, if nothing was measured between nodes; null if a node's
     * chain is unknown.
     */
    private Order apart(List<Integer> nodes, int root) {
        List<CrossedPath> paths = new ArrayList<>();
        for (int n = 0; n < nodes.size(); n++) {
            int mask = mask(nodes.get(n));
            MeasuredPath best = Integer.bitCount(mask) == 1 ? single(mask) : null;
            if (best == null && n == 0 && root >= 0) {
                best = profile.chain(mask, deviceOf[root]);
            } else if (best == null) {
                for (MeasuredPath chain : profile.chains().getOrDefault(mask, Map.of()).values()) {
                    best = best == null || chain.bandwidth() > best.bandwidth() ? chain : best;
                }
            }
            if (best == null) {
                return null;
            }
            paths.add(alone(best));
        }
        return ranks(nodes, paths, root);
    }

    private static CrossedPath alone(MeasuredPath path) {
        return new CrossedPath(null, null, path);
    }

    private Order ranks(List<Integer> nodes, List<CrossedPath> paths, int root) {
        int[] order = new int[deviceOf.length];
        int at = 0;
        if (root >= 0) {
            order[at++] = root;
        }
        for (int n = 0; n < nodes.size(); n++) {
            for (int device : paths.get(n).path().gpus()) {
                for (int rank : ranksOf.get(nodes.get(n))) {
                    if (deviceOf[rank] == device && rank != root) {
                        order[at++] = rank;
                    }
                }
            }
        }
        TransferRoute[] ways = new TransferRoute[order.length];
        int n = 0;
        for (int position = 0; position < order.length; position++) {
            int next = order[(position + 1) % order.length];
            if (ranksOf.get(nodes.get(n)).contains(next)) {
                ways[position] = paths.get(n).path().way(deviceOf[order[position]], deviceOf[next]);
            } else {
                Crossing tail = paths.get(n++).tail();
                ways[position] = tail == null ? null : tail.way();
            }
        }
        return Order.of(order).by(ways);
    }

    /** The known wires, with these rings and chains. */
    public CommunicatorTopology following(CommunicatorTopology known) {
        return known.knowing(ring(), known.levels(), this);
    }
}

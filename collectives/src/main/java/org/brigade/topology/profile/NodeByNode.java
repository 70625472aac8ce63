package org.brigade.topology.profile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.brigade.pattern.Chains;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Order;

/**
 * The order of ranks in which a ring or chain visits one node after another, if nothing was measured within nodes: the
 * nodes as a {@link NodeOrder} has them, and the ranks of each in a plain order.
 */
public final class NodeByNode implements Chains {
    private final List<List<Integer>> ranksOf;
    private final NodeOrder between;
    private final int ranks;

    /**
     * @param nodeOf by rank its node: any numbers, the same for ranks of one node
     * @param within the order of ranks within each node; ranks of other nodes may be between them
     */
    public NodeByNode(int[] nodeOf, Order within, NodeOrder between) {
        this.ranks = nodeOf.length;
        this.between = between;
        this.ranksOf = ranksOfNodes(nodeOf);
        for (List<Integer> node : ranksOf) {
            node.sort((one, other) -> Integer.compare(within.position(one), within.position(other)));
        }
    }

    /** By node, in the order of lowest ranks: its ranks, ascending. */
    static List<List<Integer>> ranksOfNodes(int[] nodeOf) {
        Map<Integer, List<Integer>> nodes = new LinkedHashMap<>();
        for (int rank = 0; rank < nodeOf.length; rank++) {
            nodes.computeIfAbsent(nodeOf[rank], node -> new ArrayList<>()).add(rank);
        }
        return new ArrayList<>(nodes.values());
    }

    /** The ranks as a ring visits them. */
    public Order ring() {
        return ranks(between.ring(), -1);
    }

    @Override
    public Order from(int root) {
        int node = 0;
        while (!ranksOf.get(node).contains(root)) {
            node++;
        }
        return ranks(between.from(node), root);
    }

    private Order ranks(int[] nodes, int root) {
        int[] order = new int[ranks];
        int at = 0;
        if (root >= 0) {
            order[at++] = root;
        }
        for (int node : nodes) {
            for (int rank : ranksOf.get(node)) {
                if (rank != root) {
                    order[at++] = rank;
                }
            }
        }
        return Order.of(order);
    }

    /** The known wires, with these rings and chains. */
    public CommunicatorTopology following(CommunicatorTopology known) {
        return known.knowing(ring(), known.levels(), this);
    }
}

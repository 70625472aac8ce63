package org.brigade.algorithm;

import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Order;

/**
 * How an algorithm uses the {@link CommunicatorTopology}. Every algorithm is correct without wires; the selector skips
 * those that would gain nothing.
 */
public enum WireUse {
    /** Its schedule is the same whatever the wires. */
    NONE(null),
    /** It follows the order of the wires if there is one. */
    ORDER(null),
    /** It follows an order that visits node after node, which is known between nodes; it asks for no other. */
    NODE_ORDER(null),
    /** It follows the levels of the wires: without levels it is an ordinary chain or tree. */
    LEVELS("knows no levels of these ranks"),
    /** It follows the outermost levels, the nodes, which are always known. */
    NODES("knows no levels of these ranks"),
    /** It reads memory that all ranks see: elsewhere its schedule runs, or that of another algorithm. */
    ONE_NODE("needs all ranks on one node"),
    /** It follows the best chain from the root: without known chains it is the pipelined chain. */
    CHAINS("knows nothing of the wires between these ranks"),
    /** It uses a reducing network: without one it cannot run. */
    NETWORK("has no network that reduces between these ranks' nodes (brigade.aggregation)"),
    /** It reaches several nodes by one store; elsewhere its schedule runs. */
    MULTICAST("needs three nodes or more that SISCI joins, with multicast");

    /** With two nodes there is one receiver, and an ordinary message does. */
    private static final int LEAST_NODES = 3;

    private final String missing;

    WireUse(String missing) {
        this.missing = missing;
    }

    /** Whether asking the ranks where they run may help it. */
    public boolean asks() {
        return this != NONE && this != NETWORK && this != NODES && this != NODE_ORDER && this != ONE_NODE;
    }

    /**
     * The order that the algorithm's messages follow, with the path of each hop; null if they follow none. With levels,
     * that of the groups and of the ranks within them.
     */
    public Order followed(CommunicatorTopology wires, int root, int ranks) {
        return switch (this) {
            case ORDER -> wires.order(ranks);
            case CHAINS -> wires.chain(root, ranks);
            case LEVELS -> wires.hierarchy(ranks).places();
            default -> null;
        };
    }

    /** Null if the algorithm gains from these wires, else the reason why not. */
    public String pointless(CommunicatorTopology wires) {
        boolean served = switch (this) {
            case ONE_NODE -> wires.nodes() == 1;
            case LEVELS, NODES -> wires.levels().divide();
            case CHAINS -> wires.hasChains() || wires.isOrdered();
            case MULTICAST -> wires.multicast() && wires.nodes() >= LEAST_NODES;
            case NETWORK -> wires.reducedBetween() != null;
            default -> true;
        };
        return served ? null : missing;
    }
}

package org.brigade.algorithm;

import org.brigade.pattern.Order;
import org.brigade.pattern.Wires;

/**
 * What an algorithm makes of the {@link Wires}. All are right without any; selection passes those over that would have
 * no point.
 */
public enum WireUse {
    /** Its schedule is the same whatever the wires. */
    NONE(null),
    /** It runs in their order if there is one. */
    ORDER(null),
    /** It goes by their levels: without any it is a chain or tree like others. */
    LEVELS("knows no levels of these ranks"),
    /** It goes by their outermost levels, the nodes, which are known without asking. */
    NODES("knows no levels of these ranks"),
    /** It goes by the best chain from the root: where nothing is known of chains it is the pipelined chain. */
    CHAINS("knows nothing of the wires between these ranks"),
    /** It has a network reduce: without one that does it cannot run. */
    NETWORK("has no network that reduces between these ranks' nodes (brigade.aggregation)"),
    /** It stores once to reach several nodes; elsewhere its schedule runs. */
    MULTICAST("needs three nodes or more that SISCI joins, with multicast");

    /** With two nodes there is one receiver, and a message for one. */
    private static final int LEAST_NODES = 3;

    private final String missing;

    WireUse(String missing) {
        this.missing = missing;
    }

    /** Whether more may come of asking the ranks where they run. */
    public boolean asks() {
        return this != NONE && this != NETWORK && this != NODES;
    }

    /** The order whose hops the algorithm's messages follow, with the ways of each; null if they follow none. */
    public Order followed(Wires wires, int root, int ranks) {
        return this == ORDER ? wires.order(ranks) : this == CHAINS ? wires.chain(root, ranks) : null;
    }

    /** Null if the algorithm has a point on a communicator with these wires, else why not, in words. */
    public String pointless(Wires wires) {
        boolean served = switch (this) {
            case LEVELS, NODES -> wires.levels().divide();
            case CHAINS -> wires.hasChains() || wires.isOrdered();
            case MULTICAST -> wires.multicast() && wires.nodes() >= LEAST_NODES;
            case NETWORK -> wires.reducedBetween() != null;
            default -> true;
        };
        return served ? null : missing;
    }
}

package org.brigade.pattern;

import java.util.Arrays;

/**
 * What is known of the wires between the ranks of a communicator, for the algorithms that follow them. The same on all
 * ranks, as schedules depend on it; one instance serves a communicator.
 *
 * <p>
 * Chains are found when first asked for, by every rank for itself: the search is deterministic.
 */
public final class Wires {
    /** Nothing is known. */
    public static final Wires NONE = new Wires(null, Levels.NONE, null);

    private final Order order;
    private final Levels levels;
    private final Chains chains;
    private final int nodes;
    /** Empty if it does not matter, or there is but one node. */
    private final String fabric;
    /** By rank the number of its node, where a network reduces between nodes; else null. Not to be written to. */
    private final int[] reducedBetween;
    private final boolean multicast;
    /**
     * The chain asked for last: all ranks of a simulated call ask for one after another, a real one keeps its
     * schedules.
     */
    private Order found;
    private int foundRoot = -1;
    private Hierarchy hierarchy;

    /** As below, of ranks of one node. */
    public Wires(Order order, Levels levels, Chains chains) {
        this(order, levels, chains, 1);
    }

    /**
     * What is known of as many ranks as {@code order} and {@code levels} have.
     *
     * @param order in which rings and chains run, rank order too if somebody has said so; null if nothing is known
     * @param chains null if no better chains are known than along the order
     * @param nodes on how many nodes they are
     */
    public Wires(Order order, Levels levels, Chains chains, int nodes) {
        this(order, levels, chains, nodes, "", false, null);
    }

    private Wires(Order order, Levels levels, Chains chains, int nodes, String fabric, boolean multicast,
        int[] reducedBetween) {
        if (order != null && levels.count() > 0 && order.ranks() != levels.groupOf()[0].length) {
            throw new IllegalArgumentException(
                "an order of " + order.ranks() + " ranks, levels of " + levels.groupOf()[0].length);
        }
        this.order = order;
        this.levels = levels;
        this.chains = chains;
        this.nodes = nodes;
        this.fabric = fabric;
        this.reducedBetween = reducedBetween;
        this.multicast = multicast;
    }

    /** The same, and whether what joins the nodes can store once and reach them all. */
    public Wires multicast(boolean possible) {
        return possible == multicast ? this : new Wires(order, levels, chains, nodes, fabric, possible, reducedBetween);
    }

    /**
     * What follows from the nodes that ranks are on alone.
     *
     * @param order null: one that goes through node after node
     * @param nodeOf by rank: the number of its node, whatever numbers there are
     */
    public static Wires ofNodes(Order order, int[] nodeOf) {
        int[] numbers = nodeOf.clone();
        Arrays.sort(numbers);
        int count = 1;
        for (int i = 1; i < numbers.length; i++) {
            count += numbers[i] == numbers[i - 1] ? 0 : 1;
        }
        Levels levels = Levels.dividing(nodeOf);
        Order through = order == null ? levels.order(nodeOf.length) : order;
        return through == null && count == 1 ? NONE : new Wires(through, levels, null, count);
    }

    /** In which rings and chains run through this communicator's ranks. */
    public Order order(int ranks) {
        return order == null ? Order.identity(ranks) : order;
    }

    /** Whether an order is known, be it rank order. */
    public boolean isOrdered() {
        return order != null;
    }

    /** On how many nodes the ranks are. */
    public int nodes() {
        return nodes;
    }

    /** Of the same nodes, and what joins them, with this known of the wires; as in the constructor. */
    public Wires knowing(Order order, Levels levels, Chains chains) {
        return new Wires(order, levels, chains, nodes, fabric, multicast, reducedBetween);
    }

    /** The same between nodes that are joined by this; of one node, as it was. */
    public Wires joinedBy(String name) {
        return nodes == 1 ? this : new Wires(order, levels, chains, nodes, name, multicast, reducedBetween);
    }

    /** The name of what joins the nodes, as {@code sisci}; empty if it is not known, or there is but one node. */
    public String fabric() {
        return fabric;
    }

    /**
     * The same, between nodes that a network reduces between.
     *
     * @param nodeOf by rank: the number of its node, whatever numbers there are
     */
    public Wires reducing(int[] nodeOf) {
        return new Wires(order, levels, chains, nodes, fabric, multicast, nodeOf.clone());
    }

    /** By rank the number of its node, where a network reduces between nodes; else null. Not to be written to. */
    public int[] reducedBetween() {
        return reducedBetween;
    }

    /** Whether what joins the nodes can store once and reach them all. */
    public boolean multicast() {
        return multicast;
    }

    public Levels levels() {
        return levels;
    }

    /** Whether {@link #chain} may know better than the order. */
    public boolean hasChains() {
        return chains != null;
    }

    /**
     * The chain for large messages from {@code root}, which stands first; along the order if no better one is known.
     */
    public synchronized Order chain(int root, int ranks) {
        if (chains == null) {
            return order(ranks);
        }
        if (foundRoot != root) {
            Order chain = chains.from(root);
            found = chain == null ? order(ranks) : chain;
            foundRoot = root;
        }
        return found;
    }

    /** The levels as a tree of groups, each level's in the order. */
    public synchronized Hierarchy hierarchy(int ranks) {
        if (this == NONE) {
            return new Hierarchy(Order.identity(ranks), Levels.NONE);
        }
        if (hierarchy == null) {
            hierarchy = new Hierarchy(order(ranks), levels);
        }
        return hierarchy;
    }

    @Override
    public String toString() {
        return (nodes == 1 ? "" : nodes + " nodes, ") + (multicast ? "multicast, " : "")
            + (reducedBetween == null ? "" : "reduced between in the network, ")
            + (order == null ? "" : "order " + order + (levels.count() > 0 ? ", " : ""))
            + (levels.count() == 0 ? "" : "levels " + levels)
            + (chains == null ? ""
                : (order == null && levels.count() == 0 ? "" : ", ") + "chains of its own for each root");
    }
}

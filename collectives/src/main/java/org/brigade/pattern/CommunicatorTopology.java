package org.brigade.pattern;

import java.util.Arrays;

/**
 * What is known of the wires between the ranks of a communicator, for algorithms that follow them. The same on all
 * ranks, as schedules depend on it; one instance serves a communicator.
 *
 * <p>
 * Every rank computes chains itself when it first needs them: the search is deterministic.
 */
public final class CommunicatorTopology {
    /** Nothing is known. */
    public static final CommunicatorTopology NONE = new CommunicatorTopology(null, Levels.NONE, null);

    private final Order order;
    private final Levels levels;
    private final Chains chains;
    private final int nodes;
    /** Name of what joins the nodes; empty if it does not matter, or there is one node. */
    private final String fabric;
    /** By rank the number of its node, if a network reduces between nodes; else null. Read only. */
    private final int[] reducedBetween;
    /** Networks that reduce between the nodes, each for a part of a vector. */
    private final int rails;
    private final boolean multicast;
    /** Null if nobody told. */
    private final NetworkSpeed speed;
    /**
     * The chain asked for last: the ranks of a simulated call ask one after another; a real rank keeps its schedules.
     */
    private Order found;
    private int foundRoot = -1;
    private Hierarchy hierarchy;

    /** As below, for ranks of one node. */
    public CommunicatorTopology(Order order, Levels levels, Chains chains) {
        this(order, levels, chains, 1);
    }

    /**
     * What is known of as many ranks as {@code order} and {@code levels} have.
     *
     * @param order of rings and chains, may be rank order; null if unknown
     * @param chains null if no better chains than along the order are known
     * @param nodes number of nodes that the ranks are on
     */
    public CommunicatorTopology(Order order, Levels levels, Chains chains, int nodes) {
        this(order, levels, chains, nodes, "", false, null, 1, null);
    }

    private CommunicatorTopology(Order order, Levels levels, Chains chains, int nodes, String fabric, boolean multicast,
        int[] reducedBetween, int rails, NetworkSpeed speed) {
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
        this.rails = rails;
        this.multicast = multicast;
        this.speed = speed;
    }

    /** The same, and whether the fabric between the nodes has multicast. */
    public CommunicatorTopology multicast(boolean possible) {
        return possible == multicast ? this
            : new CommunicatorTopology(order, levels, chains, nodes, fabric, possible, reducedBetween,
                rails, speed);
    }

    /**
     * What follows from the ranks' nodes alone.
     *
     * @param order null: one that visits node after node
     * @param nodeOf by rank: the number of its node, whatever numbers there are
     */
    public static CommunicatorTopology ofNodes(Order order, int[] nodeOf) {
        int[] numbers = nodeOf.clone();
        Arrays.sort(numbers);
        int count = 1;
        for (int i = 1; i < numbers.length; i++) {
            count += numbers[i] == numbers[i - 1] ? 0 : 1;
        }
        Levels levels = Levels.dividing(nodeOf);
        Order through = order == null ? levels.order(nodeOf.length) : order;
        return through == null && count == 1 ? NONE : new CommunicatorTopology(through, levels, null, count);
    }

    /** The order of rings and chains through this communicator's ranks. */
    public Order order(int ranks) {
        return order == null ? Order.identity(ranks) : order;
    }

    /** Whether an order is known, rank order included. */
    public boolean isOrdered() {
        return order != null;
    }

    /** Number of nodes that the ranks are on. */
    public int nodes() {
        return nodes;
    }

    /** The same nodes and fabric, with these wires; parameters as in the constructor. */
    public CommunicatorTopology knowing(Order order, Levels levels, Chains chains) {
        return new CommunicatorTopology(order, levels, chains, nodes, fabric, multicast, reducedBetween, rails, speed);
    }

    /** The same with this fabric between the nodes; unchanged for one node. */
    public CommunicatorTopology joinedBy(String name) {
        return nodes == 1 ? this
            : new CommunicatorTopology(order, levels, chains, nodes, name, multicast, reducedBetween, rails, speed);
    }

    /** The fabric that joins the nodes, such as {@code sisci}; empty if unknown, or if there is one node. */
    public String fabric() {
        return fabric;
    }

    /**
     * The same, with networks that reduce between the nodes, side by side.
     *
     * @param nodeOf by rank: the number of its node, whatever numbers there are
     * @param rails how many there are
     */
    public CommunicatorTopology reducing(int[] nodeOf, int rails) {
        return new CommunicatorTopology(order, levels, chains, nodes, fabric, multicast, nodeOf.clone(), rails, speed);
    }

    /** The same with a network of this speed between the nodes; unchanged for one node. */
    public CommunicatorTopology at(NetworkSpeed known) {
        return nodes == 1 ? this
            : new CommunicatorTopology(order, levels, chains, nodes, fabric, multicast, reducedBetween, rails, known);
    }

    /** How fast the network between the nodes is; null if nobody told, or if there is one node. */
    public NetworkSpeed speed() {
        return speed;
    }

    /** Most ranks of one node, if there are several nodes: their outermost level, else every rank is alone. */
    public int local() {
        int outermost = levels.count() - 1;
        if (outermost < 0 || levels.groups(outermost) != nodes) {
            return 1;
        }
        int[] count = new int[nodes];
        int most = 1;
        for (int group : levels.groupOf()[outermost]) {
            most = Math.max(most, ++count[group]);
        }
        return most;
    }

    /** Most groups that the level within nodes makes of one node, such as NUMA nodes; 1 if there is none. */
    public int domains() {
        int within = levels.count() - 2;
        if (within < 0 || levels.groups(within + 1) != nodes) {
            return 1;
        }
        int[] count = new int[nodes];
        boolean[] seen = new boolean[levels.groups(within)];
        int most = 1;
        for (int rank = 0; rank < levels.groupOf()[within].length; rank++) {
            int group = levels.group(within, rank);
            int node = levels.group(within + 1, rank);
            count[node] += seen[group] ? 0 : 1;
            seen[group] = true;
            most = Math.max(most, count[node]);
        }
        return most;
    }

    /** Number of networks that reduce between the nodes, if any does. */
    public int rails() {
        return rails;
    }

    /** By rank the number of its node, if a network reduces between nodes; else null. Read only. */
    public int[] reducedBetween() {
        return reducedBetween;
    }

    /** Whether the fabric between the nodes has multicast. */
    public boolean multicast() {
        return multicast;
    }

    public Levels levels() {
        return levels;
    }

    /** Whether {@link #chain} may find a better chain than the order. */
    public boolean hasChains() {
        return chains != null;
    }

    /** The chain for large messages, beginning with {@code root}; along the order if no better one is known. */
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

    /** The levels as a tree of groups, each level's in this order. */
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
            + (reducedBetween == null ? ""
                : "reduction in " + (rails == 1 ? "the network" : rails + " networks") + " between nodes, ")
            + (order == null ? "" : "order " + order + (levels.count() > 0 ? ", " : ""))
            + (levels.count() == 0 ? "" : "levels " + levels)
            + (chains == null ? ""
                : (order == null && levels.count() == 0 ? "" : ", ") + "a chain for each root");
    }
}

package org.brigade.launch.options;

/** Mpjrun's options for nodes that this machine emulates, and for the places of ranks on nodes or hosts. */
final class NodeOptions {
    /** Fabrics that may join emulated nodes. */
    private static final String FABRICS = "sisci";
    /** What joins hosts. */
    private static final String UCX = "ucx";

    private static final String BLOCK = "block";
    private static final String ROUND = "node";

    private int nodes = 1;
    private int perNode;
    private boolean counted;
    /** Null if the line has none. */
    private String map;
    private String fabric;

    void nodes(String text) {
        nodes = LaunchOptions.number("--nodes", text, "nodes must be 1 or more, as in --nodes 2");
        counted = true;
    }

    /** So many ranks on each node. */
    void perNode(String option, String text) {
        perNode = LaunchOptions.number(option, text, "the number of ranks must be 1 or more, as in -N 4");
    }

    /** 0: the line does not say. */
    int perNode() {
        return perNode;
    }

    void map(String text) {
        map = text;
    }

    void fabric(String text) {
        if (!text.equals(FABRICS) && !text.equals(UCX)) {
            throw new LaunchException("--fabric " + text + ": there is no such fabric; between emulated nodes there"
                + " are: " + FABRICS + ", " + UCX + "; between hosts: " + UCX);
        }
        fabric = text;
    }

    /** Null if the line names none. */
    String fabric() {
        return fabric;
    }

    int count() {
        return nodes;
    }

    /** @throws LaunchException if the line also asks for what is not between hosts */
    void requireNone(String hosts) {
        if (nodes > 1 || FABRICS.equals(fabric)) {
            throw new LaunchException((nodes > 1 ? "--nodes " + nodes : "--fabric " + fabric)
                + " is for nodes that this machine emulates, and " + hosts + " names others; leave out one of the two");
        }
    }

    /** Whether the ranks go round. */
    boolean goesRound() {
        return ROUND.equals(map);
    }

    /** Whether the line has the place of each rank. */
    boolean lists() {
        return map != null && !map.equals(BLOCK) && !map.equals(ROUND);
    }

    /** The host of each rank as the line lists them; hosts may be left out. */
    int[] listed(int ranks, int hosts) {
        return list(new int[ranks], hosts, false);
    }

    /**
     * The node of each rank.
     *
     * @return null: all are on one
     * @throws LaunchException if the options contradict each other or the number of ranks
     */
    int[] of(int ranks) {
        if (nodes == 1) {
            if (fabric != null) {
                throw new LaunchException("--fabric " + fabric
                    + " joins nodes, and all ranks are on one; say how many with --nodes, as in --nodes 2 --fabric "
                    + fabric);
            }
            if (map != null && !counted) {
                throw new LaunchException("--map " + map
                    + " places ranks on nodes, and all are on one; say how many with --nodes, as in --nodes 2 --map "
                    + map);
            }
            return null;
        }
        boolean blocks = map == null || map.equals(BLOCK);
        if (nodes > ranks) {
            throw new LaunchException("--nodes " + nodes + ": there are only " + ranks
                + " ranks; give each node one, with -np " + nodes + " or more");
        }
        int[] nodeOf = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            // Blocks differ by one rank at most.
            nodeOf[rank] = blocks ? (int) ((long) rank * nodes / ranks) : rank % nodes;
        }
        return lists() ? list(nodeOf, nodes, true) : nodeOf;
    }

    /** Reads {@code 0,1,1,0}. */
    private int[] list(int[] nodeOf, int nodes, boolean every) {
        String[] words = map.split(",", -1);
        boolean[] used = new boolean[nodes];
        int missing = every ? nodes : 0;
        boolean right = words.length == nodeOf.length;
        for (int rank = 0; rank < words.length && right; rank++) {
            right = words[rank].length() > 0 && words[rank].length() < 6
                && words[rank].chars().allMatch(c -> c >= '0' && c <= '9');
            nodeOf[rank] = right ? Integer.parseInt(words[rank]) : 0;
            right &= nodeOf[rank] < nodes;
            if (right && !used[nodeOf[rank]]) {
                used[nodeOf[rank]] = true;
                missing -= every ? 1 : 0;
            }
        }
        if (!right || missing > 0) {
            throw new LaunchException("--map " + map + ": must be block, node, or the node of each of the "
                + nodeOf.length + " ranks, from 0 to " + (nodes - 1)
                + (every ? " with none left out" : "") + ", as in --map " + example(nodeOf.length, nodes));
        }
        return nodeOf;
    }

    private static String example(int ranks, int nodes) {
        StringBuilder text = new StringBuilder("0");
        for (int rank = 1; rank < ranks; rank++) {
            text.append(',').append(rank % nodes);
        }
        return ranks <= 8 ? text.toString() : "0,1,...";
    }
}

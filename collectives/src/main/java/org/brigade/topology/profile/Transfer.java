package org.brigade.topology.profile;

/**
 * A transfer of data from one memory to another. The type says whether a memory is a GPU's or a NUMA node's; the index
 * is the GPU's or NUMA node's on its node.
 *
 * @param fromNode {@link #HERE}, {@link #NEXT} or {@link #PREVIOUS}
 * @param toNode the same as {@code fromNode}, except for transfers between nodes
 * @param from index of the GPU or NUMA node that holds the data, 0 to {@value #MOST} - 1
 * @param to index of the GPU or NUMA node that receives them
 */
public record Transfer(TransferType type, int fromNode, int toNode, int from, int to) implements Comparable<Transfer> {
    /** The node whose paths are searched. */
    public static final int HERE = 0;
    /** The node after it in a ring of nodes. */
    public static final int NEXT = 1;
    /** The node before it. */
    public static final int PREVIOUS = 2;
    /** Most GPUs or NUMA nodes of one node. */
    public static final int MOST = 64;

    public Transfer {
        boolean nodes = fromNode >= HERE && fromNode <= PREVIOUS && toNode >= HERE && toNode <= PREVIOUS
            && type.inter() == (fromNode != toNode);
        if (!nodes || from < 0 || from >= MOST || to < 0 || to >= MOST || type.peer() && from == to) {
            throw new IllegalArgumentException(type + " from " + from + " of node " + fromNode + " to " + to
                + " of node " + toNode + ": indices are 0 to " + (MOST - 1) + ", nodes 0 to 2, different ones only"
                + " for a transfer between nodes, and a GPU does not write to itself");
        }
    }

    /** A transfer within the node. */
    public static Transfer local(TransferType type, int from, int to) {
        return new Transfer(type, HERE, HERE, from, to);
    }

    /** A unique number; ordered by type, then nodes, then indices. */
    public int code() {
        return ((type.ordinal() * 4 + fromNode) * 4 + toNode) * MOST * MOST + from * MOST + to;
    }

    public static Transfer of(int code) {
        int nodes = code / (MOST * MOST);
        return new Transfer(TransferType.of(nodes / 16), nodes / 4 % 4, nodes % 4, code / MOST % MOST, code % MOST);
    }

    @Override
    public int compareTo(Transfer other) {
        return Integer.compare(code(), other.code());
    }

    /** {@code GPU_WRITE_GPUMEM_KERNEL 0>3}; with other nodes {@code CPU_GPU_INTER 2:0>0:1}. */
    @Override
    public String toString() {
        return fromNode == HERE && toNode == HERE ? type + " " + from + ">" + to
            : type + " " + fromNode + ":" + from + ">" + toNode + ":" + to;
    }
}

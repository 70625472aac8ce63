package org.brigade.pattern;

/**
 * How data get from one device to the next of a ring or chain.
 *
 * @param by who moves the data
 * @param memory NUMA node of the bounce buffer, between nodes that of the sender; -1 without one
 * @param far between nodes: NUMA node of the receiver's bounce buffer; -1 without one
 */
public record TransferRoute(By by, int memory, int far) {
    /** The sender stores into the receiver's memory. */
    public static final TransferRoute WRITE = new TransferRoute(By.WRITE, -1, -1);
    /** The receiver fetches from the sender's memory. */
    public static final TransferRoute READ = new TransferRoute(By.READ, -1, -1);

    /** Who moves the data. */
    public enum By { WRITE, READ, BOUNCE, NETWORK }

    /** The sender writes into host memory of a NUMA node, and the receiver reads from there. */
    public static TransferRoute bounce(int memory) {
        return new TransferRoute(By.BOUNCE, memory, -1);
    }

    /**
     * A network adapter moves data from node to node.
     *
     * @param memory NUMA node of the sender's memory from which it reads; -1 for the device's own
     * @param far NUMA node of the receiver's memory into which it writes; -1 for the device's own
     */
    public static TransferRoute network(int memory, int far) {
        return new TransferRoute(By.NETWORK, memory, far);
    }

    @Override
    public String toString() {
        return switch (by) {
            case WRITE -> "a direct write";
            case READ -> "a direct read";
            case BOUNCE -> "a bounce buffer in memory " + memory;
            case NETWORK -> "the network, from " + place(memory) + " to " + place(far);
        };
    }

    private static String place(int memory) {
        return memory < 0 ? "the device" : "memory " + memory;
    }
}

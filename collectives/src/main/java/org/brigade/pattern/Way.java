package org.brigade.pattern;

/**
 * How data get from one device to the next of a ring or chain.
 *
 * @param by who moves the data
 * @param memory NUMA node of the bounce buffer; -1 without one
 */
public record Way(By by, int memory) {
    /** The sender stores into the receiver's memory. */
    public static final Way WRITE = new Way(By.WRITE, -1);
    /** The receiver fetches from the sender's memory. */
    public static final Way READ = new Way(By.READ, -1);

    /** Who moves the data. */
    public enum By { WRITE, READ, BOUNCE }

    /** The sender writes into host memory of a NUMA node, and the receiver reads from there. */
    public static Way bounce(int memory) {
        return new Way(By.BOUNCE, memory);
    }

    @Override
    public String toString() {
        return switch (by) {
            case WRITE -> "a direct write";
            case READ -> "a direct read";
            case BOUNCE -> "a bounce buffer in memory " + memory;
        };
    }
}

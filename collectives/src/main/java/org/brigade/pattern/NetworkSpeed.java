package org.brigade.pattern;

/**
 * How fast the network between nodes is, for tables and cost equations: the same numbers on all ranks.
 *
 * @param latencyNanos of an empty message
 * @param bitsPerSecond of one of a node's links, each way
 * @param ports links that a node has
 * @param source where the numbers come from, in words: {@code measured by brigade profile --nodes}
 */
public record NetworkSpeed(long latencyNanos, long bitsPerSecond, int ports, String source) {
    /** Of an empty message through the kernel's sockets, where nobody measured. */
    public static final long SOCKETS_NANOS = 30_000;
    /** The same by InfiniBand. */
    public static final long INFINIBAND_NANOS = 2_000;

    /** Bits a second of what joins nodes, where nobody knows. */
    public static final long GIGABIT = 1_000_000_000;

    private static final long KILO = 1000;
    private static final double BITS_OF_A_GIGABYTE = 8e9;

    public NetworkSpeed {
        if (latencyNanos < 1 || bitsPerSecond < 1 || ports < 1) {
            throw new IllegalArgumentException(latencyNanos + " ns, " + bitsPerSecond + " bit/s and " + ports
                + " ports: a network's latency, rate and ports are 1 or more");
        }
    }

    /** 10^9 bytes a second: B of the equations. */
    public double gigabytesPerSecond() {
        return bitsPerSecond / BITS_OF_A_GIGABYTE;
    }

    /** The same latency with another rate. */
    public NetworkSpeed at(long otherBitsPerSecond, String otherSource) {
        return new NetworkSpeed(latencyNanos, otherBitsPerSecond, ports, otherSource);
    }

    /** {@code 200 Mbit/s, 30 us a message (measured by brigade profile --nodes)}. */
    @Override
    public String toString() {
        return (ports == 1 ? "" : ports + " ports of ") + scaled(bitsPerSecond, "bit/s", "kbit/s", "Mbit/s", "Gbit/s")
            + ", "
            + scaled(latencyNanos, "ns", "us", "ms", "s") + " a message (" + source + ")";
    }

    /** With one place after the point, if it is not 0. */
    private static String scaled(long value, String... units) {
        int unit = 0;
        long scale = 1;
        while (unit < units.length - 1 && value >= KILO * scale) {
            scale *= KILO;
            unit++;
        }
        long tenths = Math.round(10.0 * value / scale);
        return tenths / 10 + (tenths % 10 == 0 ? "" : "." + tenths % 10) + " " + units[unit];
    }
}

package org.brigade.topology.model;

/**
 * A wire between two components. Parallel wires of one kind (NVLinks, PCIe lanes) are one link.
 *
 * @param id its number in its {@link Topology}, from 0
 * @param forward bytes/s from {@code a} to {@code b}
 * @param backward bytes/s from {@code b} to {@code a}; with {@code halfDuplex} equal to {@code forward}, and the two
 * directions share it
 * @param latency seconds that a byte takes
 */
public record TopologyLink(int id, LinkKind kind, int a, int b, double forward, double backward, boolean halfDuplex,
    double latency) {
    public TopologyLink {
        if (a == b || !(forward > 0) || !(backward > 0) || !(latency >= 0) || halfDuplex && forward != backward) {
            throw new IllegalArgumentException(
                "link " + id + " from component " + a + " to " + b + ": " + forward + " and " + backward + " bytes/s, "
                    + latency + " s" + (halfDuplex ? ", half duplex" : "")
                    + ": it needs two ends, positive rates (one if half duplex) and a latency of 0 or more");
        }
    }

    /** The other end. */
    public int other(int component) {
        return component == a ? b : a;
    }

    /** Bytes/s out of {@code component}. */
    public double rateFrom(int component) {
        return component == a ? forward : backward;
    }
}

package org.brigade.aggregation;

/**
 * A kind of reducing network: aggregator processes reached by TCP, or SHARP. {@code brigade.aggregation} chooses it.
 */
public interface AggregationProvider {
    /** The name that the setting begins with: {@code tcp}, {@code sharp}. */
    String name();

    /**
     * Makes a group of the nodes of one communicator; each node's master calls it. The first call opens the network.
     *
     * @param address the part of the setting after the name; may be empty
     * @param group a number that distinguishes this group from all others, the same on all members
     * @throws AggregationException if this member cannot join. Other members may have joined a group that will never
     * answer, so all members must then agree on the outcome.
     */
    AggregationGroup join(String address, long group, OutOfBand members) throws AggregationException;
}

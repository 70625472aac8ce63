package org.brigade.aggregation;

/** A kind of network that reduces: aggregator processes by TCP, SHARP. Chosen by {@code brigade.aggregation}. */
public interface AggregationProvider {
    /** The name that the setting begins with: {@code tcp}, {@code sharp}. */
    String name();

    /**
     * Makes a group of the nodes of one communicator; each node's master calls it. Opens the network if this is the
     * first.
     *
     * @param address what the setting says behind the name; may be empty
     * @param group a number that tells this group from all others, the same on all members
     * @throws AggregationException if this member cannot; the others may then be in a group that will never answer, so
     * all have to agree what came of it
     */
    AggregationGroup join(String address, long group, OutOfBand members) throws AggregationException;
}

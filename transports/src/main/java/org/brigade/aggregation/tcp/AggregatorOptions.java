package org.brigade.aggregation.tcp;

import java.net.InetSocketAddress;

/**
 * How an aggregator is run.
 *
 * @param listen      where members and other aggregators reach it
 * @param parent      the aggregator above; null for a root
 * @param place       its place among its parent's children: the order in which that one sums
 * @param children    aggregators that have this one as their parent; 0 if members come here. A root need not know
 * @param secret      that both ends of every connection must have
 * @param terms       what it gives each group
 * @param groups      most groups at once
 * @param memory      most bytes for all groups together
 * @param connections most connections at once
 * @param faults      what its network does to packets
 */
record AggregatorOptions(InetSocketAddress listen, InetSocketAddress parent, int place, int children, byte[] secret, Terms terms, int groups, long memory, int connections, Faults faults) {
    static final Terms DEFAULT_TERMS = new Terms(32, 32 << 10, false);
    static final int DEFAULT_GROUPS = 64;
    static final long DEFAULT_MEMORY = 256L << 20;
    static final int DEFAULT_CONNECTIONS = 1024;

    /** One with the usual bounds. */
    AggregatorOptions(InetSocketAddress listen, byte[] secret) {
        this(listen, null, 0, 0, secret, DEFAULT_TERMS, DEFAULT_GROUPS, DEFAULT_MEMORY, DEFAULT_CONNECTIONS, Faults.NONE);
    }
}

package org.brigade.aggregation.aggregator;

import org.brigade.aggregation.process.GroupTerms;

/**
 * How an aggregator is run.
 *
 * @param place its place among the children of the one above it: the order in which that one sums
 * @param children aggregators that have this one above them; 0 if members come here. A root need not know
 * @param terms what it gives each group
 * @param groups most groups at once
 * @param memory most bytes for all groups together
 * @param connections most connections at once
 * @param faults what its network does to packets
 */
record AggregatorOptions(int place, int children, GroupTerms terms, int groups, long memory, int connections,
    Faults faults) {
    static final GroupTerms DEFAULT_TERMS = new GroupTerms(32, 32 << 10, false);
    static final long DEFAULT_MEMORY = 256L << 20;

    AggregatorOptions {
        if (place < 0 || children < 0 || groups < 1 || memory < 1 || connections < 1) {
            throw new IllegalArgumentException(
                "--place and --children may not be below 0, nor --groups, --memory and --connections below 1");
        }
    }
}

package org.brigade.aggregation.aggregator;

import org.brigade.aggregation.process.GroupTerms;

/**
 * How an aggregator runs.
 *
 * @param place its place among its parent's children: the order in which the parent sums
 * @param children number of aggregators that have this one as their parent; 0 if members connect here. A root need not
 * know
 * @param terms what each group gets
 * @param groups most groups at a time
 * @param memory most bytes for all groups together
 * @param connections most connections at a time
 * @param faults what its network does to packets
 */
record AggregatorOptions(int place, int children, GroupTerms terms, int groups, long memory, int connections,
    Faults faults) {
    static final GroupTerms DEFAULT_TERMS = new GroupTerms(32, 32 << 10, false);
    static final long DEFAULT_MEMORY = 256L << 20;

    AggregatorOptions {
        if (place < 0 || children < 0 || groups < 1 || memory < 1 || connections < 1) {
            throw new IllegalArgumentException(
                "--place and --children must be 0 or more, --groups, --memory and --connections 1 or more");
        }
    }
}

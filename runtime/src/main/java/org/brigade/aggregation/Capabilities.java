package org.brigade.aggregation;

import mpi.spi.Reduction.Operator;

/**
 * What a network can reduce, and its limits.
 *
 * @param types bit {@code 1 << ordinal} for each {@link AggregationType}
 * @param operators bit {@code 1 << ordinal} for each {@link Operator}; libsharp_coll's codes are the same
 * @param maxGroups groups that this process may have at a time
 * @param slots operations of one group that may be outstanding (SHARP: OSTs)
 * @param payload most bytes of one operation
 * @param reproducible whether the order of summation is fixed, so the same input gives the same bits in every run
 */
public record Capabilities(long types, long operators, int maxGroups, int slots, int payload, boolean reproducible) {
    /** The operators that MPI and libsharp_coll have in common. */
    public static final long COMMON_OPERATORS = (1L << Operator.MINLOC.ordinal() + 1) - 1;

    /** Null if the network can reduce this, else the reason why not: {@code does not reduce FLOAT64}. */
    public String refuses(AggregationType type, Operator operator) {
        if (type == null || (types >> type.ordinal() & 1) == 0) {
            return "does not reduce " + (type == null ? "such items" : type);
        }
        return operator.ordinal() > Operator.MINLOC.ordinal() || (operators >> operator.ordinal() & 1) == 0
            ? "does not know the operation " + operator : null;
    }
}

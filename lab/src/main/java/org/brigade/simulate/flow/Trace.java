package org.brigade.simulate.flow;

import org.brigade.schedule.code.MemoryOperation;

/**
 * Is told how resources are used, piece by piece. Pieces of one transfer follow one another; those of several transfers
 * come in the order of their ends.
 */
public interface Trace {
    /**
     * One transfer used a resource evenly for a while.
     *
     * @param from picoseconds since the start
     * @param to picoseconds since the start, after {@code from}
     * @param rate bytes/s of the resource's capacity
     */
    void used(int resource, long from, long to, double rate);

    /**
     * A rank of straight-line code did one of its operations, from one picosecond since the start to another. What it
     * waits for before is not part of it.
     */
    default void worked(int rank, MemoryOperation operation, long from, long to) {
    }
}

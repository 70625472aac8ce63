package org.brigade.simulate.flow;

/**
 * Told what resources carry, piece by piece. Pieces of one transfer follow one another; those of several transfers come
 * in the order in which they end.
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
}

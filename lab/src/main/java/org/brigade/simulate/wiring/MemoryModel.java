package org.brigade.simulate.wiring;

import org.brigade.schedule.code.MemoryOperation;

/** How long straight-line code's operations take on the ranks of a node. */
public interface MemoryModel {
    /** Seconds of a call before its first operation. */
    double entry();

    /** Seconds after which a rank sees a word, or a message, that another has stored. */
    double latency(int from, int to, MemoryOperation.Kind stored);

    /**
     * What an operation takes of its rank: start-up, and then resources and rate for its bytes.
     *
     * @param callBytes of the call
     */
    Route work(int rank, MemoryOperation operation, long callBytes);
}

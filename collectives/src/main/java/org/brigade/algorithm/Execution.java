package org.brigade.algorithm;

/** How the calls of an algorithm are run. */
public enum Execution {
    /** By the engine, step by step. */
    SCHEDULE,
    /** By straight-line code in the engine; blocking calls only. */
    FUSED,
    /** By straight-line code that reads every rank's block where that rank has put it; blocking calls only. */
    PULL,
    /** By straight-line code that reads blocks in the other ranks' memory; blocking calls only. */
    SINGLE_COPY,
    /** By straight-line code through memory that the ranks of a node share; blocking calls only. */
    SHARED_BUFFER,
    /** By stores that reach several nodes at once; blocking calls only. */
    MULTICAST,
    /** By the engine, step by step, with a reducing network as one more peer. */
    NETWORK,
    /** By a kernel on each device; blocking calls only. */
    KERNEL;

    /**
     * Whether only the algorithm's result is that of its schedule, which does something else. Where such an algorithm
     * cannot run, another one is chosen.
     */
    public boolean standsAlone() {
        return this == SINGLE_COPY || this == SHARED_BUFFER;
    }

    /** Whether ranks read each other's memory and send no messages. */
    public boolean readsMemory() {
        return this == PULL || this == SINGLE_COPY || this == SHARED_BUFFER;
    }
}

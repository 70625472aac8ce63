package org.brigade.algorithm;

/** How the calls of an algorithm are run. */
public enum Execution {
    /** Step by step, by the engine. */
    SCHEDULE,
    /** By straight code of the engine, in blocking calls. */
    FUSED,
    /** By stores that reach several nodes at once, in blocking calls. */
    MULTICAST,
    /** Step by step, with a network that reduces as one more peer. */
    NETWORK,
    /** By a kernel on each device, in blocking calls. */
    KERNEL
}

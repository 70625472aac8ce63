package org.brigade.simulate.wiring;

/** Which way a message between two GPUs takes, where there are several. */
public enum RouteChoice {
    /**
     * As the machine's policy has it: NVLink where it leads there, else as far as peer access reaches, else through
     * host memory.
     */
    POLICY,
    /** Within a node, peer access without NVLinks. */
    PCI,
    /** Through host memory, within a node or at both ends of the network, all copies at once. */
    HOST
}

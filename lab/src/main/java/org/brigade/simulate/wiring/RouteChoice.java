package org.brigade.simulate.wiring;

/** The path of a message between two GPUs, if there are several. */
public enum RouteChoice {
    /** The machine's policy: NVLink if it leads there, else peer access as far as it reaches, else host memory. */
    POLICY,
    /** Within a node, peer access without NVLinks. */
    PCI,
    /** Through host memory, within a node or at both ends of the network, all copies at once. */
    HOST
}

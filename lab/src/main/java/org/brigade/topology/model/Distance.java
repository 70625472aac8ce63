package org.brigade.topology.model;

import java.util.Locale;

/** The distance between two devices of a node: the farthest kind of link that a path between them passes. */
public enum Distance {
    /** NVLinks only, directly or through NVSwitches. */
    NVLINK,
    /** No CPU: they share a PCIe switch. */
    SWITCH,
    /** One CPU's root complex. */
    CPU,
    /** A link between CPUs. */
    NODE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

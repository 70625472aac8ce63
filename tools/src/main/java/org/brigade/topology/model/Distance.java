package org.brigade.topology.model;

import java.util.Locale;

/** How far apart two devices of a node are: what a path between them has to pass, nearest first. */
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

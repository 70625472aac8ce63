package org.brigade.topology.model;

/** The kinds of links. */
public enum LinkKind {
    /** Inside a chip: core to cache, cache to CPU. */
    CHIP,
    /** CPU to its memory. */
    MEMORY,
    PCI,
    NVLINK,
    /** CPU to CPU: QPI, UPI, X-bus, Infinity Fabric. */
    CPU,
    /** CPU to GPU, coherent: NVLink-C2C. */
    C2C,
    NETWORK,
    /** Adapter to adapter or to an NTB switch. */
    NTB;

    /** The word in files and pictures: {@code nvlink}. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}

package org.brigade.topology.model;

/** The parts of a machine that data come from, go to, or pass through. */
public enum ComponentKind {
    /** A processor core; ranks with host memory sit here. */
    CORE,
    /** A cache that several cores share: between CORE and CPU. */
    CACHE,
    /** A NUMA node's processor side: its cores, memory, PCIe root ports and the links to other CPUs meet here. */
    CPU,
    /** A NUMA node's memory. */
    MEMORY,
    PCI_SWITCH,
    GPU,
    /** A network adapter, for InfiniBand, Ethernet or whatever the host's MPI uses. */
    NIC,
    /** A non-transparent bridge adapter: other machines' memory behind PCIe. */
    NTB,
    NVSWITCH,
    /** A switch of a network between nodes; of no node. */
    SWITCH;

    /** The word in files and pictures: {@code pci-switch}. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}

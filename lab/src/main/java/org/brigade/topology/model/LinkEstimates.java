package org.brigade.topology.model;

/**
 * Assumed numbers for links that were not measured and that NCCL has no constant for. All are estimates: a profile of
 * the machine, or a machine file, replaces them. Seconds and bytes/s.
 */
public final class LinkEstimates {
    /** One hop over PCIe: a switch or root complex of 0.1 to 0.2 us, and the wire. */
    public static final double PCI_LATENCY = 0.2e-6;
    /** GPU to GPU by NVLink directly. */
    public static final double NVLINK_LATENCY = 0.6e-6;
    /** GPU to NVSwitch: half of the 0.66 us that a flag takes between two H200. */
    public static final double NVSWITCH_LATENCY = 0.33e-6;
    public static final double C2C_LATENCY = 0.3e-6;
    /** CPU to CPU. */
    public static final double CPU_LATENCY = 0.1e-6;
    /** Core to shared cache, cache to CPU. */
    public static final double CHIP_LATENCY = 0.02e-6;
    public static final double MEMORY_LATENCY = 0.1e-6;

    /** The most that one core copies through its caches. */
    public static final double CORE_RATE = 40e9;
    /** A shared cache to the rest of its CPU. */
    public static final double CACHE_RATE = 100e9;
    /** The memory of a NUMA node, a common server's with eight channels. */
    public static final double MEMORY_RATE = 150e9;

    private LinkEstimates() {
    }
}

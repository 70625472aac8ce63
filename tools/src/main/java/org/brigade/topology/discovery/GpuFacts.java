package org.brigade.topology.discovery;

import java.util.List;

/**
 * What a GPU's driver tells, beyond what PCI shows.
 *
 * @param busId {@code 0000:1b:00.0}
 * @param dev the driver's number
 * @param sm compute capability times 10, -1 if unknown
 * @param name null if unknown
 * @param memoryBytes -1 if unknown
 * @param pcieGeneration the best of GPU and slot, not the present one: an idle GPU falls back to the first; -1 if
 * unknown
 * @param pcieWidth lanes, -1 if unknown
 * @param c2cLinks to the CPU's chip
 * @param c2cMegabytes MB/s of each of them
 */
record GpuFacts(String busId, int dev, int sm, String name, long memoryBytes, int pcieGeneration, int pcieWidth,
    List<NvLink> nvLinks, int c2cLinks, int c2cMegabytes) {
    /** @param target the address of the other end, null if it is hidden */
    record NvLink(String target, int count) {
    }
}

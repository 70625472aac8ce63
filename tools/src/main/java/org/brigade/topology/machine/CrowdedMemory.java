package org.brigade.topology.machine;

import java.util.List;

/**
 * Too many transfers at one NUMA node's memory: it gives less than its bandwidth (Kim et al. 2024, transfer sets 10 to
 * 13).
 *
 * @param most transfers at one memory that do not disturb each other
 * @param factor what is left of the memory's bandwidth when there are more
 */
public record CrowdedMemory(int most, double factor) implements CongestionPattern {
    /** Nothing by itself: the memory has less for all, which is a matter of fair shares. */
    @Override
    public double most(Machine machine, List<Traffic> transfers, int index, double alone) {
        return alone;
    }
}

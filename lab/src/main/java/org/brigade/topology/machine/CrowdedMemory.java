package org.brigade.topology.machine;

import java.util.List;

/**
 * Too many transfers at one NUMA node's memory lower its bandwidth (Kim et al. 2024, transfer sets 10 to 13).
 *
 * @param most transfers at one memory that do not lower it
 * @param factor the remaining share of the memory's bandwidth if there are more
 */
public record CrowdedMemory(int most, double factor) implements CongestionPattern {
    /** No limit here: the memory has less bandwidth for all, which fair shares handle. */
    @Override
    public double most(Machine machine, List<Traffic> transfers, int index, double alone) {
        return alone;
    }
}

package org.brigade.topology;

import java.util.List;

/**
 * Too many transfers at one NUMA node's memory: it gives less than its bandwidth (004, transfer sets 10 to 13).
 *
 * @param most   transfers at one memory that do not disturb each other
 * @param factor what is left of the memory's bandwidth when there are more
 */
public record CrowdedMemory(int most, double factor) implements CongestionPattern {
    @Override
    public double most(Machine machine, List<Traffic> transfers, int index, double alone) {
        Traffic transfer = transfers.get(index);
        return Math.min(share(machine, transfer.from(), transfers), share(machine, transfer.to(), transfers));
    }

    /** An equal part of what a crowded memory gives. */
    private double share(Machine machine, Component memory, List<Traffic> transfers) {
        int at = 0;
        for (Traffic transfer : transfers) {
            if (transfer.from().equals(memory) || transfer.to().equals(memory)) {
                at++;
            }
        }
        if (memory.kind() != ComponentKind.MEMORY || at <= most) {
            return Double.POSITIVE_INFINITY;
        }
        Topology topology = machine.topology();
        return factor * topology.link(topology.linksOf(memory.id())[0]).rateFrom(memory.id()) / at;
    }

    @Override
    public String describe() {
        return "more than " + most + " transfers at one CPU's memory: it gives x " + factor + " of its bandwidth";
    }
}

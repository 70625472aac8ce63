package org.brigade.topology;

import java.util.List;

/**
 * Too many transfers at one NUMA node's memory: each gets less than its share (004, transfer sets 10 to 13).
 *
 * @param most   transfers at one memory that do not disturb each other
 * @param factor what is left of the fair share of each when there are more
 */
public record CrowdedMemory(int most, double factor) implements CongestionPattern {
    @Override
    public double factor(Locality locality, List<Traffic> transfers, int index) {
        Traffic transfer = transfers.get(index);
        return crowded(transfer.from(), transfers) || crowded(transfer.to(), transfers) ? factor : 1;
    }

    private boolean crowded(Component component, List<Traffic> transfers) {
        if (component.kind() != ComponentKind.MEMORY) {
            return false;
        }
        int at = 0;
        for (Traffic transfer : transfers) {
            if (transfer.from().equals(component) || transfer.to().equals(component)) {
                at++;
            }
        }
        return at > most;
    }

    @Override
    public String describe() {
        return "more than " + most + " transfers at one CPU's memory: each x " + factor;
    }
}

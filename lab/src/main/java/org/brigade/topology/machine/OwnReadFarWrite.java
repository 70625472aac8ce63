package org.brigade.topology.machine;

import java.util.List;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.Locality;

/**
 * A GPU that reads its own NUMA node's memory while it writes directly to a GPU of another NUMA node slows both
 * transfers (Kim et al. 2024, AMD-V100, transfer sets 1 to 5).
 *
 * @param factor the share of their rates alone that both keep
 */
public record OwnReadFarWrite(double factor) implements CongestionPattern {
    @Override
    public double most(Machine machine, List<Traffic> transfers, int index, double alone) {
        Locality locality = machine.locality();
        Traffic transfer = transfers.get(index);
        for (Traffic beside : transfers) {
            if (readsOwnMemory(locality, transfer) && writesFar(locality, beside) && transfer.to().equals(beside.from())
                || writesFar(locality, transfer) && readsOwnMemory(locality, beside)
                    && beside.to().equals(transfer.from())) {
                return factor * alone;
            }
        }
        return alone;
    }

    private static boolean readsOwnMemory(Locality locality, Traffic transfer) {
        return transfer.pulled() && transfer.from().kind() == ComponentKind.MEMORY
            && transfer.to().kind() == ComponentKind.GPU
            && locality.cpuOf(transfer.from().id()) == locality.cpuOf(transfer.to().id());
    }

    private static boolean writesFar(Locality locality, Traffic transfer) {
        return !transfer.pulled() && transfer.inNode() && transfer.from().kind() == ComponentKind.GPU
            && transfer.to().kind() == ComponentKind.GPU
            && locality.cpuOf(transfer.from().id()) != locality.cpuOf(transfer.to().id());
    }
}

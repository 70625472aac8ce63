package org.brigade.topology.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.Transfer;

/**
 * Measures what has not been measured yet, in any naming of NUMA nodes and GPUs that a {@link NodeLayout} allows, and
 * remembers the rest. For one thread.
 */
public final class IsomorphismCache implements TransferMeter {
    private final NodeLayout layout;
    private final TransferMeter meter;
    private final BiConsumer<TransferSet, Double> measured;
    private final Map<TransferSet, Double> exact = new HashMap<>();
    /** Measured sets by {@link Isomorphism#hash}. */
    private final Map<Integer, List<TransferSet>> classes = new HashMap<>();
    private int count;

    /** @param measured takes each new measurement: to record it, or show that time passes */
    public IsomorphismCache(NodeLayout layout, TransferMeter meter, BiConsumer<TransferSet, Double> measured) {
        this.layout = layout;
        this.meter = meter;
        this.measured = measured;
    }

    public IsomorphismCache(NodeLayout layout, TransferMeter meter) {
        this(layout, meter, (set, bandwidth) -> {});
    }

    /** Makes known what was measured earlier. */
    public void put(TransferSet set, double bandwidth) {
        if (exact.put(set, bandwidth) == null) {
            classes.computeIfAbsent(Isomorphism.hash(layout, set), hash -> new ArrayList<>()).add(set);
        }
    }

    @Override
    public double bandwidth(TransferSet set) {
        Double known = exact.get(set);
        if (known == null) {
            known = isomorphic(set);
        }
        if (known != null) {
            return known;
        }
        double bandwidth = meter.bandwidth(set);
        if (!(bandwidth > 0)) {
            throw new IllegalStateException(
                "measured " + bandwidth + " bytes/s for " + set + "; a bandwidth is more than 0");
        }
        put(set, bandwidth);
        count++;
        measured.accept(set, bandwidth);
        return bandwidth;
    }

    @Override
    public boolean possible(Transfer transfer) {
        return meter.possible(transfer);
    }

    private Double isomorphic(TransferSet set) {
        for (TransferSet other : classes.getOrDefault(Isomorphism.hash(layout, set), List.of())) {
            if (Isomorphism.between(layout, set, other)) {
                Double known = exact.get(other);
                exact.put(set, known);
                return known;
            }
        }
        return null;
    }

    /** Sets that had to be measured. */
    public int measurements() {
        return count;
    }
}

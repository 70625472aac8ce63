package org.brigade.topology.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.Transfer;

/**
 * Measures each set of transfers once, under all names of NUMA nodes and GPUs that a {@link NodeLayout} treats alike,
 * and remembers the result. For one thread.
 */
public final class IsomorphismCache implements TransferMeter {
    private final NodeLayout layout;
    private final TransferMeter meter;
    private final BiConsumer<TransferSet, Double> measured;
    private final Map<TransferSet, Double> exact = new HashMap<>();
    /** Measured sets by {@link Isomorphism#hash}. */
    private final Map<Integer, List<TransferSet>> classes = new HashMap<>();
    private int count;

    /** @param measured receives each new measurement: to record it, or to show progress */
    public IsomorphismCache(NodeLayout layout, TransferMeter meter, BiConsumer<TransferSet, Double> measured) {
        this.layout = layout;
        this.meter = meter;
        this.measured = measured;
    }

    public IsomorphismCache(NodeLayout layout, TransferMeter meter) {
        this(layout, meter, (set, bandwidth) -> {});
    }

    /** Adds an earlier measurement. */
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
                "measured " + bandwidth + " bytes/s for " + set + "; a bandwidth must be more than 0");
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

    /** Number of measured sets. */
    public int measurements() {
        return count;
    }
}

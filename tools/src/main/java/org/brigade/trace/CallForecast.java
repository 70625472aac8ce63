package org.brigade.trace;

import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.cli.shared.TimedAlgorithm;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.select.Choice;
import org.brigade.select.MemorySpace;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.SizeThresholds;
import org.brigade.simulate.flow.Trace;
import org.brigade.simulate.wiring.RoutingModel;
import org.brigade.tuned.TunedTable;

/** What {@code brigade explain} and the simulator say of traced calls. */
final class CallForecast {
    private static final long EAGER_BYTES = 64 << 10;

    private final RoutingModel wiring;
    private final int[] nodeOf;
    private final Selector selector;

    /** @param wiring where calls are simulated */
    CallForecast(JobTrace trace, RoutingModel wiring) {
        this.wiring = wiring;
        nodeOf = new int[trace.size()];
        boolean several = false;
        for (RankTrace rank : trace.ranks()) {
            nodeOf[rank.rank()] = rank.node();
            several |= rank.node() != trace.ranks().get(0).node();
        }
        Settings settings = Settings.ofThisProcess();
        Selector plain = Selector.of(MemorySpace.HOST, settings);
        selector =
            several ? plain : Selector.of(plain.table(), TunedTable.find(settings, trace.size()).table(), settings);
    }

    private static Collective collective(String key) {
        for (Collective collective : Collective.values()) {
            if (collective.key().equals(key)) {
                return collective;
            }
        }
        throw new IllegalArgumentException("there is no collective " + key + "; read this trace by the version of"
            + " Brigade that wrote it");
    }

    /** The nodes of a call on all ranks; of calls on fewer ranks nothing is known. */
    private CommunicatorTopology wires(TracedCalls.Shape shape) {
        boolean several = false;
        for (int node : nodeOf) {
            several |= node != nodeOf[0];
        }
        return several && shape.ranks() == nodeOf.length ? CommunicatorTopology.ofNodes(null, nodeOf)
            : CommunicatorTopology.NONE;
    }

    /** The choice for host memory; null if none can serve the call. */
    private Choice choice(TracedCalls.Shape shape) {
        SizeThresholds ladder = selector.ladder(collective(shape.collective()), shape.ranks(), true, Placement.ALIGNED,
            wires(shape));
        Choice choice = ladder.choice(ladder.step(shape.bytes()));
        return choice.served() ? choice : null;
    }

    /** The algorithm that explain names; a dash if none. */
    String explained(TracedCalls.Shape shape) {
        Choice choice = choice(shape);
        return choice == null ? "-" : choice.algorithm().name();
    }

    /** Nanoseconds by the cost model of the algorithm that explain names; NaN if it has none. */
    double predictedNanos(TracedCalls.Shape shape) {
        Choice choice = choice(shape);
        return choice == null ? Double.NaN
            : choice.algorithm().cost(selector.table().costs(), new PredictedCall(shape.ranks(), wires(shape),
                shape.bytes(), choice.chunkBytes(), choice.radix(), choice.sharePercent()));
    }

    /**
     * Nanoseconds of the algorithm that ran, simulated; NaN if it cannot be.
     *
     * @param listener hears how the wires are used; null for none
     */
    double simulatedNanos(TracedCalls.Shape shape, Trace listener) {
        Collective collective = collective(shape.collective());
        Algorithm ran = Catalogue.find(collective, shape.algorithm());
        if (ran == null || shape.ranks() > wiring.ranks()
            || TimedAlgorithm.untimed(ran, shape.ranks(), wiring) != null) {
            return Double.NaN;
        }
        Choice choice = choice(shape);
        boolean same = choice != null && choice.algorithm() == ran;
        try {
            return 1e9 * new TimedAlgorithm(ran, shape.ranks(), Math.max(0, shape.root()), shape.bytes(),
                same ? choice.chunkBytes() : 0, same ? choice.radix() : 2, wires(shape))
                .run(wiring, EAGER_BYTES, listener).seconds();
        } catch (IllegalArgumentException impossible) {
            return Double.NaN;
        }
    }

    RoutingModel wiring() {
        return wiring;
    }
}

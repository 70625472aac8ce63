package org.brigade.algorithm;

import mpi.spi.Collective;
import mpi.spi.Counts;

/**
 * An algorithm that the engine has as straight-line code. There are two reasons: stepping through a schedule is too
 * slow (tiny messages, memory that ranks share), or a link between two ranks cannot express the operation (multicast).
 * The verifier runs this code as it does schedules; multicast is only tested. Its result is that of the schedule
 * {@link #meaning}, which nonblocking calls run. Its cost is the schedule's, unless a subclass knows better.
 */
public non-sealed class FusedAlgorithm implements Algorithm {
    /** Most bytes of a message to every rank. Longer ones want a schedule's pieces. */
    public static final long MOST_BYTES = 4 << 10;
    /**
     * The same where ranks know their own counts only: two of this length fit into the smallest link, so ranks that are
     * one call apart do not wait for each other to read.
     */
    public static final long MOST_BYTES_OF_OWN = 1 << 10;
    /** Most ranks of a scan: with more, rounds add up in another order than one rank after the other. */
    public static final int SCAN_RANKS = 2;

    private final String name;
    private final ScheduledAlgorithm meaning;
    private final Restrictions restrictions;
    private final WireUse wireUse;

    protected FusedAlgorithm(String name, ScheduledAlgorithm meaning, Restrictions restrictions, WireUse wireUse) {
        this.name = name;
        this.meaning = meaning;
        this.restrictions = restrictions;
        this.wireUse = wireUse;
    }

    /** An algorithm that does not depend on the wires. */
    public FusedAlgorithm(String name, ScheduledAlgorithm meaning, Restrictions restrictions) {
        this(name, meaning, restrictions, WireUse.NONE);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Collective collective() {
        return meaning.collective();
    }

    @Override
    public final ScheduledAlgorithm schedule() {
        return meaning;
    }

    @Override
    public final Restrictions restrictions() {
        return restrictions;
    }

    @Override
    public <R> R open(Runners<R> runners) {
        return runners.flat(collective());
    }

    @Override
    public final WireUse wireUse() {
        return wireUse;
    }

    /** A short message costs ts and its copy at the sender, and a copy at the receiver, who reduces as he copies. */
    @Override
    public double cost(CostModel model, PredictedCall call) {
        if (call.ranks() < 2) {
            return meaning.cost(model, call);
        }
        double copy = model.transfer(block(call));
        return switch (collective()) {
            case BARRIER -> call.others() * model.start();
            case BCAST, SCATTER, SCATTERV -> call.others() * (model.start() + copy) + copy;
            case GATHER, GATHERV, REDUCE -> model.start() + call.ranks() * copy;
            default -> call.others() * (model.start() + copy) + call.ranks() * copy;
        };
    }

    /** Bytes of a block, or of the vector. */
    final double block(PredictedCall call) {
        return (double) call.bytes() / (collective().counts == Counts.SHARED ? call.ranks() : 1);
    }

    @Override
    public final String toString() {
        return collective().key() + '/' + name;
    }
}

package org.brigade.algorithm;

import mpi.spi.Collective;

/**
 * An algorithm written out as straight code where stepping through a schedule would be too slow, as for tiny messages
 * in shared memory, or where no link between two ranks can do what it does, as multicast. It must do what the schedule
 * of {@link #schedule} does, and a differential test holds the two equal. The engine has the code. Calls that return at
 * once run the schedule. It costs what the schedule costs, unless a subclass knows better.
 */
public non-sealed class FusedAlgorithm implements Algorithm {
    private final String name;
    private final ScheduledAlgorithm meaning;
    private final Restrictions restrictions;
    private final WireUse wireUse;
    private final Execution execution;

    protected FusedAlgorithm(String name, ScheduledAlgorithm meaning, Restrictions restrictions, WireUse wireUse,
        Execution execution) {
        this.name = name;
        this.meaning = meaning;
        this.restrictions = restrictions;
        this.wireUse = wireUse;
        this.execution = execution;
    }

    /** Whatever the wires. */
    public FusedAlgorithm(String name, ScheduledAlgorithm meaning, Restrictions restrictions) {
        this(name, meaning, restrictions, WireUse.NONE, Execution.FUSED);
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
    public final Execution execution() {
        return execution;
    }

    @Override
    public final WireUse wireUse() {
        return wireUse;
    }

    @Override
    public double cost(CostModel model, PredictedCall call) {
        return meaning.cost(model, call);
    }

    @Override
    public final String toString() {
        return collective().key() + '/' + name;
    }
}

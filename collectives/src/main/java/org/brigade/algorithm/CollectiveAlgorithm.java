package org.brigade.algorithm;

import mpi.spi.Collective;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/** What scheduled algorithms have in common: name, collective, restrictions, and the cost with a single rank. */
public abstract class CollectiveAlgorithm implements ScheduledAlgorithm {
    private final String name;
    private final Collective collective;
    private final Restrictions restrictions;
    private final WireUse wireUse;

    /** Whatever the wires. */
    protected CollectiveAlgorithm(Collective collective, String name, Restrictions restrictions) {
        this(collective, name, restrictions, WireUse.NONE);
    }

    protected CollectiveAlgorithm(Collective collective, String name, Restrictions restrictions, WireUse wireUse) {
        this.name = name;
        this.collective = collective;
        this.restrictions = restrictions;
        this.wireUse = wireUse;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Collective collective() {
        return collective;
    }

    @Override
    public final Restrictions restrictions() {
        return restrictions;
    }

    @Override
    public final WireUse wireUse() {
        return wireUse;
    }

    @Override
    public final double cost(CostModel model, PredictedCall call) {
        return call.ranks() < 2 ? model.transfer(call.bytes()) : equation(model, call);
    }

    /** {@link #cost} for two ranks or more. */
    protected double equation(CostModel model, PredictedCall call) {
        return Double.NaN;
    }

    @Override
    public final String toString() {
        return collective.key() + '/' + name;
    }

    /** One block of SEND. */
    protected static Slice send(ScheduleBuilder schedule, int block) {
        return schedule.send(Index.of(block), 1);
    }

    /** One block of RECV. */
    protected static Slice recv(ScheduleBuilder schedule, int block) {
        return schedule.recv(Index.of(block), 1);
    }

    /** One block of a scratch area. */
    protected static Slice scratch(ScheduleBuilder schedule, int area, int block) {
        return schedule.scratch(area, Index.of(block), 1);
    }
}

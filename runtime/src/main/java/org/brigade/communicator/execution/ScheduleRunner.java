package org.brigade.communicator.execution;

import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Operation;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.communicator.call.CallSequence;
import org.brigade.engine.Plan;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Neighbourhoods;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.select.Choice;

/** Runs the schedule of one choice, step by step. Takes every call. Keeps a plan for each shape of call. */
public final class ScheduleRunner implements Runner {
    private final PlanRunner engine;
    private final Choice choice;
    private final Collective collective;
    private final CommunicatorTopology wires;
    /** The last plan and its key; most communicators have one root. */
    private Plan last;
    private long lastKey;
    /** Null until there is a second plan. */
    private PlanCache others;

    /**
     * @param choice of an algorithm of this collective
     * @param wires by which the choice was made
     */
    public ScheduleRunner(PlanRunner engine, Choice choice, Collective collective, CommunicatorTopology wires) {
        this.engine = engine;
        this.choice = choice;
        this.collective = collective;
        this.wires = wires;
    }

    @Override
    public Offer offer(Call call) {
        return Offer.YES;
    }

    @Override
    public Operation start(Call call, long key) {
        return engine.run(call, plan(call), key);
    }

    @Override
    public PersistentCollective prepare(Call call, Choice itsChoice, CallSequence starts, Runnable atEnd) {
        return engine.prepare(call, plan(call), starts, atEnd);
    }

    /** The plan of a call. */
    public Plan plan(Call call) {
        return plan(call, call.inPlace && !collective.overwrites);
    }

    /** The plan of a call. @param inPlace whether the input lies in the output, and is still needed there */
    public Plan plan(Call call, boolean inPlace) {
        long key = (long) call.root << 2 | (inPlace ? 2 : 0) | (call.commutes() ? 1 : 0);
        if (last != null && key == lastKey) {
            return last;
        }
        Plan plan = others == null ? null : others.get(key);
        if (plan == null) {
            plan = build(call, inPlace);
            if (last != null && others == null) {
                others = new PlanCache();
                others.put(lastKey, last);
            }
            if (others != null) {
                others.put(key, plan);
            }
        }
        last = plan;
        lastKey = key;
        return plan;
    }

    private Plan build(Call call, boolean inPlace) {
        ScheduledAlgorithm scheduled = choice.algorithm().schedule();
        Geometry geometry = new Geometry(collective, call.ranks, call.rank, call.root, inPlace, choice.radix(), wires,
            collective.amongNeighbours() ? new Neighbourhoods.OwnEdges(call.neighbours) : null, call.commutes());
        ScheduleBuilder builder = new ScheduleBuilder(scheduled.name(), geometry);
        scheduled.build(geometry, builder);
        return new Plan(builder.finish(), choice);
    }
}

package org.brigade.communicator.execution;

import java.util.Arrays;
import mpi.ErrorClass;
import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.engine.Plan;
import org.brigade.engine.PlanCache;
import org.brigade.pattern.Neighbourhoods;
import org.brigade.pattern.Wires;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.select.Choice;
import org.brigade.select.Ladder;
import org.brigade.select.Selector;
import org.brigade.select.TuningException;

/**
 * Caches what one communicator has decided about its calls: a ladder of choices for each collective, and a plan for
 * each shape of call that has occurred.
 */
public final class CallShapes {
    private static final int COLLECTIVES = Collective.values().length;

    private final Selector selector;
    private final int rank;
    private final int ranks;
    private final String communicator;
    // Indexed by placement, then by collective.
    private final Ladder[] commutative = new Ladder[Placement.COUNT * COLLECTIVES];
    private final Ladder[] ordered = new Ladder[Placement.COUNT * COLLECTIVES];
    private PlanCache plans = new PlanCache();
    /** What is known so far about the wires between the ranks; the same on all ranks at every call. */
    private Wires wires;
    /** The step of the ladder that {@link #choose} took last: with the choice, part of the plan's key. */
    private int lastStep;

    public CallShapes(Selector selector, Wires wires, int rank, int ranks, String communicator) {
        this.selector = selector;
        this.wires = wires;
        this.rank = rank;
        this.ranks = ranks;
        this.communicator = communicator;
    }

    /** What is known so far about the wires. */
    Wires wires() {
        return wires;
    }

    /** Takes new knowledge about the wires and forgets all earlier decisions. Calls under way are not affected. */
    void learn(Wires more) {
        wires = more;
        Arrays.fill(commutative, null);
        Arrays.fill(ordered, null);
        plans = new PlanCache();
    }

    private Ladder ladder(Collective collective, boolean commutes) {
        Ladder known = (commutes ? commutative : ordered)[collective.ordinal()];
        return known != null ? known : ladder(collective, commutes, Placement.ALIGNED);
    }

    /**
     * The ladder for calls whose buffers have this placement on all ranks together. Algorithms for host memory ignore
     * placement.
     */
    public Ladder ladder(Collective collective, boolean commutes, Placement placement) {
        Ladder[] ladders = commutes ? commutative : ordered;
        int index = placement.ordinal() * COLLECTIVES + collective.ordinal();
        Ladder ladder = ladders[index];
        if (ladder == null) {
            try {
                ladder = selector.ladder(collective, ranks, commutes, placement, wires);
            } catch (TuningException e) {
                throw ErrorClass.OTHER.in(collective.key(), rank, ranks, communicator, e.getMessage());
            }
            ladders[index] = ladder;
        }
        return ladder;
    }

    /** The choice for a call of so many bytes. If no algorithm can serve the call, the choice says why. */
    Choice choose(Collective collective, long bytes, boolean commutes) {
        Ladder ladder = ladder(collective, commutes);
        lastStep = ladder.step(bytes);
        return ladder.choice(lastStep);
    }

    /** Returns the choice if it can run; an error if the forced algorithm cannot serve such a call. */
    public Choice required(Collective collective, Choice choice) {
        if (!choice.served()) {
            throw ErrorClass.OTHER.in(collective.key(), rank, ranks, communicator, choice.rule());
        }
        return choice;
    }

    /** The plan of a call of a collective, for the last choice; built when first asked for. */
    Plan plan(Collective collective, Call call, Choice choice, boolean inPlace) {
        boolean commutes = call.commutes();
        long key = (long) call.root << 32 | (long) lastStep << 8 | (long) collective.ordinal() << 2 | (inPlace ? 2 : 0)
            | (commutes ? 1 : 0);
        Plan plan = plans.get(key);
        if (plan == null) {
            plan = build(collective, choice, call, inPlace);
            plans.put(key, plan);
        }
        return plan;
    }

    private Plan build(Collective collective, Choice choice, Call call, boolean inPlace) {
        ScheduledAlgorithm scheduled = choice.algorithm().schedule();
        Geometry geometry = new Geometry(collective, ranks, rank, call.root, inPlace, choice.radix(), wires,
            collective.amongNeighbours() ? new Neighbourhoods.OwnEdges(call.neighbours) : null, call.commutes());
        ScheduleBuilder builder = new ScheduleBuilder(scheduled.name(), geometry);
        scheduled.build(geometry, builder);
        return new Plan(builder.finish(), choice);
    }
}

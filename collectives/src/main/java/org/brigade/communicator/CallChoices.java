package org.brigade.communicator;

import mpi.spi.ErrorClass;
import org.brigade.engine.FusedFlat;
import org.brigade.engine.Party;
import org.brigade.engine.Plan;
import org.brigade.pattern.Wires;
import org.brigade.schedule.Collective;
import org.brigade.select.Choice;
import org.brigade.select.Ladder;
import org.brigade.select.Selector;
import org.brigade.select.TuningException;

/** How the calls of one communicator on host memory run: which algorithm, and its plan; having asked about the wires once a choice could depend on them. Under the progress lock. */
final class CallChoices {
    private final CallShapes shapes;
    private final FusedFlat fused;
    private final Reflection reflection;
    private final int rank;
    private final int ranks;
    private final CallSequence sequence;
    /** Where to ask for the wires between the ranks; null once that has been done, and where there is nothing to ask. */
    private WireSource wires;
    /** The step of the ladder that {@link #choose} took last: with the choice, part of the plan's key. */
    private int lastStep;

    /**
     * @param fused    for words between the ranks about wires
     * @param sequence the communicator's name, for errors
     * @param wires    null where nothing but ranks may decide
     */
    CallChoices(Selector selector, Party party, FusedFlat fused, Reflection reflection, CallSequence sequence, WireSource wires) {
        this.rank = party.rank;
        this.ranks = party.members.length;
        this.fused = fused;
        this.reflection = reflection;
        this.sequence = sequence;
        this.wires = wires == null || !wires.tells(ranks) ? null : wires;
        this.shapes = new CallShapes(selector, wires == null || ranks == 1 ? Wires.NONE : wires.known(party.members), rank, ranks, sequence.name());
    }

    /**
     * The choice for a call.
     *
     * @param bytes as the {@link Ladder} of the collective counts them
     * @param key   of the call's messages
     */
    Choice choose(Collective collective, long bytes, boolean commutes, long key, boolean blocking) {
        Ladder ladder = shapes.ladder(collective, commutes);
        int step = ladder.step(bytes);
        Choice choice = shapes.choice(collective, ladder, step);
        if (wires != null && blocking && choice.wired()) {
            askForWires(collective, key);
            return choose(collective, bytes, commutes, key, true);
        }
        if (blocking && shapes.wires().multicast() && reflection.isDue(choice)) {
            if (!reflection.open(key)) {
                shapes.learn(shapes.wires().multicast(false)); // other algorithms from now on
            }
            return choose(collective, bytes, commutes, key, true);
        }
        Diagnostics.ran(choice.algorithm());
        lastStep = step;
        return choice;
    }

    /**
     * Finds out what there is to know about the wires, together with the other ranks: they are in the same call and have made the same choice. In a blocking call only, as one that returns at once must
     * not wait for others; calls before that run by what is known without.
     */
    private void askForWires(Collective collective, long key) {
        WireSource source = wires;
        wires = null;
        try {
            shapes.learn(source.ask(fused, key, rank, ranks, shapes.wires()));
        } catch (TuningException e) {
            throw ErrorClass.OTHER.in(collective.key(), rank, ranks, sequence.name(), e.getMessage());
        }
    }

    /** The plan for what {@link #choose} chose last. */
    Plan plan(Collective collective, boolean commutes, Choice choice, int root, boolean inPlace) {
        return shapes.plan(collective, commutes, lastStep, choice, root, inPlace);
    }
}

package org.brigade.communicator;

import mpi.ErrorClass;
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
    private final Agreement agreement;
    private final Reflection reflection;
    private final int rank;
    private final int ranks;
    private final CallSequence sequence;
    /** Where to ask for the wires between the ranks; null once that has been done, and where there is nothing to ask. */
    private WireSource wires;
    /** The step of the ladder that {@link #choose} took last: with the choice, part of the plan's key. */
    private int lastStep;

    /**
     * @param agreement for words between the ranks about wires; null where {@code wires} is
     * @param sequence  keys for them, and the communicator's name, for errors
     * @param wires     where to ask for more; null where nothing but ranks may decide
     * @param known     what is known without asking
     */
    CallChoices(Selector selector, Party party, Agreement agreement, Reflection reflection, CallSequence sequence, WireSource wires, Wires known) {
        this.rank = party.rank;
        this.ranks = party.members.length;
        this.agreement = agreement;
        this.reflection = reflection;
        this.sequence = sequence;
        this.wires = wires == null || !wires.tells(ranks) ? null : wires;
        this.shapes = new CallShapes(selector, known, rank, ranks, sequence.name());
    }

    /**
     * The choice for a call.
     *
     * @param bytes as the {@link Ladder} of the collective counts them
     */
    Choice choose(Collective collective, long bytes, boolean commutes, boolean blocking) {
        Ladder ladder = shapes.ladder(collective, commutes);
        int step = ladder.step(bytes);
        Choice choice = shapes.choice(collective, ladder, step);
        if (wires != null && blocking && choice.wired()) {
            askForWires(collective);
            return choose(collective, bytes, commutes, true);
        }
        if (blocking && shapes.wires().multicast() && reflection.isDue(choice)) {
            if (!reflection.open(sequence.take())) {
                shapes.learn(shapes.wires().multicast(false)); // other algorithms from now on
            }
            return choose(collective, bytes, commutes, true);
        }
        Diagnostics.ran(choice.algorithm());
        lastStep = step;
        return choice;
    }

    /**
     * Finds out what there is to know about the wires, together with the other ranks: they are in the same call and have made the same choice. In a blocking call only, as one that returns at once must
     * not wait for others; calls before that run by what is known without.
     */
    private void askForWires(Collective collective) {
        WireSource source = wires;
        wires = null;
        try {
            shapes.learn(source.ask(agreement, sequence, rank, ranks, shapes.wires()));
        } catch (TuningException e) {
            throw ErrorClass.OTHER.in(collective.key(), rank, ranks, sequence.name(), e.getMessage());
        }
    }

    /** The plan for what {@link #choose} chose last. */
    Plan plan(Collective collective, boolean commutes, Choice choice, int root, boolean inPlace) {
        return shapes.plan(collective, commutes, lastStep, choice, root, inPlace);
    }
}

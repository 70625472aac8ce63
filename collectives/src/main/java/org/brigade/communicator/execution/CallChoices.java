package org.brigade.communicator.execution;

import mpi.ErrorClass;
import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.algorithm.Execution;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.wires.WireSource;
import org.brigade.engine.Membership;
import org.brigade.engine.Plan;
import org.brigade.pattern.Wires;
import org.brigade.select.Choice;
import org.brigade.select.Selector;
import org.brigade.select.TuningException;

/**
 * Chooses the algorithm and the plan for each call of one communicator on host memory. It asks the other ranks about
 * the wires once, when a choice first depends on them. Under the progress lock.
 */
public final class CallChoices {
    private final CallShapes shapes;
    /** Of calls that only schedules can serve. */
    private final CallShapes scheduled;
    /** Those of the last choice. */
    private CallShapes chosen;
    /** Shapes of allreduces while a network reduces between the nodes; else null. */
    private CallShapes networked;
    private final Agreement agreement;
    private final CallSequence sequence;
    private final int rank;
    private final int ranks;
    /** Where to ask about the wires between the ranks; null after asking, and if there is nothing to ask. */
    private WireSource wires;

    /**
     * @param agreement exchanges what the ranks know about the wires
     * @param sequence gives keys for that exchange, and the communicator's name for errors
     * @param wires where to ask about the wires
     * @param known what is known without asking
     * @param reduced what is known where networks reduce between the nodes; else null
     */
    public CallChoices(Selector selector, Membership party, Agreement agreement, CallSequence sequence,
        WireSource wires,
        Wires known, Wires reduced) {
        this.rank = party.rank;
        this.ranks = party.members.length;
        this.agreement = agreement;
        this.sequence = sequence;
        this.wires = wires.tells(ranks) ? wires : null;
        shapes = new CallShapes(selector, known, rank, ranks, sequence.name());
        scheduled = new CallShapes(selector.ofSchedules(), known, rank, ranks, sequence.name());
        networked = reduced == null ? null
            : new CallShapes(selector, reduced, rank, ranks, sequence.name());
    }

    /** What is known so far about the wires between the ranks. */
    Wires wires() {
        return shapes.wires();
    }

    /** Takes new knowledge about the wires: later calls are decided anew. */
    void learn(Wires more) {
        shapes.learn(more);
        scheduled.learn(more);
    }

    /** The network is lost or cannot be opened: no later call chooses it. */
    public void forgetNetwork() {
        networked = null;
    }

    /** The choice for a call; it may be the network between the nodes. */
    public Choice choose(Call call) {
        if (networked != null && call.collective == Collective.ALLREDUCE) {
            Choice choice = networked.choose(call.collective, call.bytes(), call.commutes());
            if (choice.served() && choice.algorithm().execution() == Execution.NETWORK) {
                return choice;
            }
        }
        return chooseOrdinary(call);
    }

    /** The choice for a call without a network that reduces. */
    public Choice chooseOrdinary(Call call) {
        return choose(call.blocking ? shapes : scheduled, call.collective, call);
    }

    /** The choice for a call that only a schedule can serve. */
    public Choice chooseSchedule(Call call) {
        return choose(scheduled, call.collective, call);
    }

    private Choice choose(CallShapes by, Collective collective, Call call) {
        long bytes = call.bytes();
        chosen = by;
        Choice choice = by.choose(collective, bytes, call.commutes());
        if (wires != null && call.blocking && choice.wired()) {
            askForWires(collective);
            choice = by.choose(collective, bytes, call.commutes());
        }
        return by.required(collective, choice);
    }

    /**
     * Asks about the wires together with the other ranks, which are in the same call and have made the same choice.
     * Only a blocking call asks: a nonblocking call must not wait for others. Until then, calls run by what is known
     * without asking.
     */
    private void askForWires(Collective collective) {
        WireSource source = wires;
        wires = null;
        try {
            learn(source.ask(agreement, sequence, rank, ranks, shapes.wires()));
        } catch (TuningException e) {
            throw ErrorClass.OTHER.in(collective.key(), rank, ranks, sequence.name(), e.getMessage());
        }
    }

    /**
     * The plan for the call last passed to {@link #choose}. An in-place call of the network reads a copy of its input,
     * so its plan is not an in-place plan.
     */
    public Plan plan(Call call, Choice choice) {
        boolean network = choice.algorithm().execution() == Execution.NETWORK;
        return (network ? networked : chosen).plan(call.collective, call, choice,
            !network && call.inPlace && !call.collective.overwrites);
    }

    /** The plan of a call that begins later and must not ask about the wires: it uses what all ranks know now. */
    public Plan planOrdinary(Call call) {
        Choice choice =
            scheduled.required(call.collective, scheduled.choose(call.collective, call.bytes(), call.commutes()));
        return scheduled.plan(call.collective, call, choice,
            call.inPlace && !call.collective.overwrites);
    }

    /** The plan of another collective with this call's operands. */
    Plan planOf(Collective collective, Call call) {
        Choice choice = choose(scheduled, collective, call);
        return scheduled.plan(collective, call, choice,
            call.inPlace && (!collective.rooted || call.isRoot()));
    }
}

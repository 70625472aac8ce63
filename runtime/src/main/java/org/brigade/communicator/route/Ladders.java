package org.brigade.communicator.route;

import java.util.Arrays;
import mpi.ErrorClass;
import mpi.spi.Collective;
import org.brigade.algorithm.Placement;
import org.brigade.pattern.Wires;
import org.brigade.select.Choice;
import org.brigade.select.Ladder;
import org.brigade.select.Selector;
import org.brigade.select.TuningException;

/** The ladders of choices of one communicator, each asked for once, with errors that name the communicator. */
public final class Ladders {
    private static final int COLLECTIVES = Collective.values().length;

    private final Selector selector;
    private final int rank;
    private final int ranks;
    private final String communicator;
    // Indexed by placement, then by collective.
    private final Ladder[] commutative = new Ladder[Placement.COUNT * COLLECTIVES];
    private final Ladder[] ordered = new Ladder[Placement.COUNT * COLLECTIVES];
    private Wires wires;

    /** @param wires what is known about the wires between the ranks; the same on all ranks at every call */
    public Ladders(Selector selector, Wires wires, int rank, int ranks, String communicator) {
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

    /** Takes new knowledge about the wires and forgets all ladders. */
    void learn(Wires more) {
        wires = more;
        Arrays.fill(commutative, null);
        Arrays.fill(ordered, null);
    }

    /**
     * The ladder for calls whose buffers have this placement on all ranks together. Algorithms for host memory ignore
     * placement.
     */
    public Ladder of(Collective collective, boolean commutes, Placement placement) {
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

    /** Returns the choice if it can run; an error if the forced algorithm cannot serve such a call. */
    public Choice required(Collective collective, Choice choice) {
        if (!choice.served()) {
            throw ErrorClass.OTHER.in(collective.key(), rank, ranks, communicator, choice.rule());
        }
        return choice;
    }
}

package org.brigade.communicator.route;

import java.util.Arrays;
import mpi.ErrorClass;
import mpi.spi.Collective;
import org.brigade.algorithm.Placement;
import org.brigade.communicator.call.CallCounts;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.select.Choice;
import org.brigade.select.Selector;
import org.brigade.select.SizeThresholds;
import org.brigade.select.TuningException;

/** The ladders of choices of one communicator, each asked for once, with errors that name the communicator. */
public final class Ladders {
    private static final int COLLECTIVES = Collective.values().length;

    private final Selector selector;
    private final int rank;
    private final int ranks;
    private final String communicator;
    // Indexed by placement, then by collective.
    private final SizeThresholds[] commutative = new SizeThresholds[Placement.COUNT * COLLECTIVES];
    private final SizeThresholds[] ordered = new SizeThresholds[Placement.COUNT * COLLECTIVES];
    private CommunicatorTopology wires;

    /** @param wires what is known about the wires between the ranks; the same on all ranks at every call */
    public Ladders(Selector selector, CommunicatorTopology wires, int rank, int ranks, String communicator) {
        this.selector = selector;
        this.wires = wires;
        this.rank = rank;
        this.ranks = ranks;
        this.communicator = communicator;
    }

    /** What is known so far about the wires. */
    CommunicatorTopology wires() {
        return wires;
    }

    /** Takes new knowledge about the wires and forgets all ladders. */
    void learn(CommunicatorTopology more) {
        wires = more;
        Arrays.fill(commutative, null);
        Arrays.fill(ordered, null);
    }

    /**
     * The ladder for calls whose buffers have this placement on all ranks together. Algorithms for host memory ignore
     * placement.
     */
    public SizeThresholds of(Collective collective, boolean commutes, Placement placement) {
        SizeThresholds[] ladders = commutes ? commutative : ordered;
        int index = placement.ordinal() * COLLECTIVES + collective.ordinal();
        SizeThresholds ladder = ladders[index];
        if (ladder == null) {
            try {
                ladder = selector.ladder(collective, ranks, commutes, placement, wires);
            } catch (TuningException e) {
                throw ErrorClass.OTHER.in(collective.key(), rank, ranks, communicator, e.getMessage());
            }
            ladders[index] = ladder;
            if (CallCounts.ON) {
                CallCounts.learn(ladder);
            }
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

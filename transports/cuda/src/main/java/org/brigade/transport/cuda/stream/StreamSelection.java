package org.brigade.transport.cuda.stream;

import mpi.ErrorClass;
import mpi.spi.Collective;
import org.brigade.algorithm.Registration;
import org.brigade.algorithm.catalogue.StreamCatalogue;
import org.brigade.select.Choice;
import org.brigade.select.Selector;
import org.brigade.select.SizeThresholds;
import org.brigade.select.TuningException;

/**
 * Chooses algorithms for calls on streams, by the table and settings of device memory, from the
 * {@link StreamCatalogue}. One object a communicator.
 */
final class StreamSelection {
    private final int ranks;
    private final Selector[] selectors = new Selector[Registration.CASES];
    private final SizeThresholds[][] ladders = new SizeThresholds[Registration.CASES][Collective.values().length];

    StreamSelection(int ranks) {
        this.ranks = ranks;
    }

    /**
     * The choice for a call.
     *
     * @param bytes as ladders count them
     * @param registered a case of the catalogue
     * @throws mpi.MPIException if settings or the table cannot be followed
     */
    Choice choice(Collective collective, long bytes, int registered) {
        SizeThresholds ladder = ladders[registered][collective.ordinal()];
        if (ladder == null) {
            try {
                ladder = selector(registered).ladder(collective, ranks, true);
            } catch (TuningException e) {
                throw ErrorClass.OTHER.in(collective.key(), "on a stream: " + e.getMessage());
            }
            ladders[registered][collective.ordinal()] = ladder;
        }
        Choice choice = ladder.choice(ladder.step(bytes));
        if (choice.algorithm() == null) {
            throw ErrorClass.OTHER.in(collective.key(), "on a stream: " + choice.rule());
        }
        return choice;
    }

    private Selector selector(int registered) {
        if (selectors[registered] == null) {
            selectors[registered] = Selector.ofThisProcessForDevices().onStreams(registered);
        }
        return selectors[registered];
    }
}

package org.brigade.transport.cuda.stream;

import java.util.Map;
import mpi.ErrorClass;
import mpi.spi.Collective;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.Registration;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.algorithm.catalogue.StreamCatalogue;
import org.brigade.device.DeviceCall;
import org.brigade.select.Choice;
import org.brigade.select.Selector;
import org.brigade.select.SizeThresholds;
import org.brigade.select.TuningException;
import org.brigade.select.trial.SameBits;
import org.brigade.select.trial.SizeClass;
import org.brigade.select.trial.Way;

/**
 * Chooses algorithms for calls on streams, by the table and settings of device memory, from the
 * {@link StreamCatalogue}. One object a communicator.
 */
final class StreamSelection {
    private final int ranks;
    private final Selector[] selectors = new Selector[Registration.CASES];
    private final SizeThresholds[][] ladders = new SizeThresholds[Registration.CASES][Collective.values().length];

    private final Map<SizeClass, Choice> kept;

    /** @param kept what was measured in blocking calls; the same on all members */
    StreamSelection(int ranks, Map<SizeClass, Choice> kept) {
        this.ranks = ranks;
        this.kept = kept;
    }

    /**
     * What was measured in blocking calls of this size, if the table says the same for these as for calls on streams,
     * and what is kept can run there; else the table's choice.
     */
    Choice measured(DeviceCall call, long bytes, int registered, Choice table) {
        if (kept.isEmpty() || table.staged() || bytes < 1) {
            return table;
        }
        Way shipped = new Way(DeviceCatalogue.find(call.collective, table.algorithm().name()), table.chunkBytes(),
            table.blocks(), table.sharePercent());
        Choice found = kept.get(SizeClass.of(call.collective, Placement.ALIGNED,
            SameBits.always(call.op, call.type, ranks), bytes, shipped));
        if (found == null || found.sharePercent() > 0 || bytes > found.algorithm().restrictions().maximumBytes(ranks)
            || !((DeviceAlgorithm) found.algorithm()).kernel().runsOnStreams(call.collective, registered)) {
            return table;
        }
        return found;
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

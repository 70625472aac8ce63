package org.brigade.transport.cuda;

import java.util.ArrayList;
import java.util.List;
import mpi.spi.ErrorClass;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.DeviceCatalogue;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Collective;
import org.brigade.select.Choice;
import org.brigade.select.Ladder;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.Space;
import org.brigade.select.TuningException;

/**
 * Chooses algorithms for calls on streams, by the table and settings of device memory, among those that are one kernel and need no more of the peers' buffers than is registered.
 * {@code staged} stands for: in pieces. One object a communicator.
 */
final class StreamSelection {
    /** What of a call's buffers is registered; together 0 to 3. */
    static final int NEITHER = 0;
    static final int SEND = 1;
    static final int RECV = 2;
    /** In place in a way that only packets allow, wherever the buffers lie. */
    static final int OVERWRITTEN = 4;

    private static final int CASES = OVERWRITTEN + 1;

    private final Launches launches;
    private final int ranks;
    private final Selector[] selectors = new Selector[CASES];
    private final Ladder[][] ladders = new Ladder[CASES][Collective.values().length];

    StreamSelection(Launches launches, int ranks) {
        this.launches = launches;
        this.ranks = ranks;
    }

    /**
     * What serves a call.
     *
     * @param bytes as ladders measure
     * @throws mpi.MPIException if settings force what cannot run on a stream
     */
    Choice choice(Collective collective, long bytes, int registered) {
        Ladder ladder = ladders[registered][collective.ordinal()];
        if (ladder == null) {
            try {
                ladder = selector(registered).ladder(collective, ranks, true);
            } catch (TuningException e) {
                throw ErrorClass.OTHER.in(collective.key(), "on a stream: " + e.getMessage() + " (on a stream, " + DeviceCatalogue.STAGED
                    + " and copy-engine never run, and the others but for packets where buffers are registered)");
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
            selectors[registered] = new Selector(Space.DEVICE, collective -> among(collective, registered), Selector.ofThisProcessForDevices().table(), Settings.ofThisProcess());
        }
        return selectors[registered];
    }

    /** The catalogue, with what cannot run restricted to no ranks, so that rules that name it are passed over. */
    private List<DeviceAlgorithm> among(Collective collective, int registered) {
        List<DeviceAlgorithm> list = new ArrayList<>();
        for (DeviceAlgorithm algorithm : DeviceCatalogue.of(collective)) {
            boolean runs = algorithm.staged() || launches.named(algorithm.name()) != null && runs(algorithm, registered);
            list.add(new DeviceAlgorithm(algorithm.name(), collective, algorithm.meaning(), runs ? algorithm.restrictions() : new Restrictions(true, false, 0, 0), algorithm.pipelined(), false));
        }
        return list;
    }

    /** By whose memory a kernel loads and stores beside the scratch. */
    private static boolean runs(DeviceAlgorithm algorithm, int registered) {
        if (algorithm.name().equals(DeviceCatalogue.PACKETS)) {
            return true;
        }
        boolean send = (registered & SEND) != 0;
        boolean recv = (registered & RECV) != 0;
        return registered < OVERWRITTEN && switch (algorithm.name()) {
            case "push", "scatter-allgather", "chain" -> recv;
            case "pull" -> send;
            case "two-shot" -> send && recv;
            case "push-two-phase", "ring" -> recv || algorithm.collective() == Collective.REDUCE_SCATTER;
            default -> false;
        };
    }
}

package org.brigade.algorithm;

import mpi.spi.Collective;
import org.brigade.pattern.CommunicatorTopology;

/** A way to carry out one collective, with the name that the tuning table, properties and reports use. */
public sealed interface Algorithm permits ScheduledAlgorithm, FusedAlgorithm, DeviceAlgorithm {
    /** Lower case words joined by '-', unique within the collective: {@code pipelined-chain}. */
    String name();

    Collective collective();

    /** Opens what runs its calls, by the one method of {@code runners} that is its way. */
    <R> R open(Runners<R> runners);

    /**
     * The schedule that this algorithm is, or a schedule with the same result. Null if another selection chooses that
     * schedule.
     */
    ScheduledAlgorithm schedule();

    /**
     * Whether {@link #schedule} carries out the calls that the runner does not take: nonblocking ones, and those for
     * which something is missing. If not, the table chooses again for them, without such algorithms.
     */
    default boolean fallsBackOnSchedule() {
        return true;
    }

    /** The conditions under which the algorithm is correct; speed is not one of them. */
    Restrictions restrictions();

    /** Predicted nanoseconds of one call; NaN if there is no prediction. Good for ratios, not for times. */
    default double cost(CostModel model, PredictedCall call) {
        return Double.NaN;
    }

    /**
     * How many ranks a window passes one after another, each passing it on while the next window arrives; 0 if the
     * algorithm does not pipeline.
     */
    default int hops(int ranks, CommunicatorTopology wires) {
        return 0;
    }

    /** Whether it works window by window, so that a chunk size matters. */
    default boolean pipelined() {
        return false;
    }

    /** Whether it has a parameter radix: the branching of its tree, or the number of leaders of its groups. */
    default boolean radixed() {
        return false;
    }

    /** Whether it launches a kernel, so that a number of thread blocks matters. */
    default boolean launched() {
        return false;
    }

    /** Whether a resident kernel (one that stays on the GPU) can do the same. */
    default boolean resident() {
        return false;
    }

    /** Whether it is for device memory, and yet the host's schedules carry it out. */
    default boolean staged() {
        return false;
    }

    /** Whether a part of the bytes can go by way of the host, beside the links between the GPUs. */
    default boolean striped() {
        return false;
    }

    /** How it uses what is known of the wires. */
    default WireUse wireUse() {
        return WireUse.NONE;
    }
}

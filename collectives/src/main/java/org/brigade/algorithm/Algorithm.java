package org.brigade.algorithm;

import mpi.spi.Collective;
import org.brigade.pattern.Wires;

/** A way to carry out one collective, with the name that the tuning table, properties and reports use. */
public sealed interface Algorithm permits ScheduledAlgorithm, FusedAlgorithm, DeviceAlgorithm {
    /** Lower case words joined by '-', unique within the collective: {@code pipelined-chain}. */
    String name();

    Collective collective();

    /** How its calls are run. */
    Execution execution();

    /**
     * The schedule that it is, or whose result it has: it runs where {@link #execution} cannot. Null where that is for
     * another selection to say.
     */
    ScheduledAlgorithm schedule();

    /** What must hold for the algorithm to be right, apart from speed. */
    Restrictions restrictions();

    /** Nanoseconds that one call is predicted to take; NaN if nobody has said. Good for ratios, not for times. */
    default double cost(CostModel model, PredictedCall call) {
        return Double.NaN;
    }

    /**
     * How many ranks every window passes one after another, each passing it on while the next arrives; 0 if the
     * algorithm does not work so.
     */
    default int hops(int ranks, Wires wires) {
        return 0;
    }

    /** Whether it works window by window, so that a chunk size matters. */
    default boolean pipelined() {
        return false;
    }

    /** Whether it has a tree whose branching, or groups whose number of leaders, can be chosen: the radix. */
    default boolean radixed() {
        return false;
    }

    /** Whether it is a kernel, so that a number of blocks matters. */
    default boolean launched() {
        return false;
    }

    /** Whether a kernel that stays on the GPU can do the same. */
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

    /** What it makes of what is known of the wires. */
    default WireUse wireUse() {
        return WireUse.NONE;
    }
}

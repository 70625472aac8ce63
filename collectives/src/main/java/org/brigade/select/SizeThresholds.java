package org.brigade.select;

/**
 * The choices for one collective on one communicator, by message size. Immutable.
 *
 * <p>
 * Sizes are the bytes that all ranks know: the vector of bcast, reduce, allreduce and the scans; one rank's block of
 * gather, scatter, allgather and alltoall; the whole of allgatherv's result and reduce-scatter's input. Collectives
 * whose counts are local have a single step.
 */
public final class SizeThresholds {
    private final long[] upTo;
    private final Choice[] choices;

    /**
     * Choice i serves sizes up to and including {@code upTo[i]} bytes, from the end of choice i - 1; the last bound is
     * Long.MAX_VALUE.
     */
    public SizeThresholds(long[] upTo, Choice[] choices) {
        if (upTo.length != choices.length || upTo.length == 0 || upTo[upTo.length - 1] != Long.MAX_VALUE) {
            throw new IllegalArgumentException("bounds and choices do not match");
        }
        this.upTo = upTo.clone();
        this.choices = choices.clone();
    }

    public int steps() {
        return choices.length;
    }

    /** Number of the choice for a size. */
    public int step(long bytes) {
        int step = 0;
        while (bytes > upTo[step]) {
            step++;
        }
        return step;
    }

    public Choice choice(int step) {
        return choices[step];
    }

    public long upTo(int step) {
        return upTo[step];
    }
}

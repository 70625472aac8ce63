package org.brigade.algorithm;

import org.brigade.pattern.Wires;

/** An algorithm whose bytes go through memory that all ranks of the node share. */
public abstract sealed class SharedBufferAlgorithm extends FusedAlgorithm
    permits CopyInCopyOutAlgorithm, MovementAvoidingAlgorithm, PartitionedAlgorithm {
    /** More have not been measured. */
    private static final int MOST_RANKS = 64;

    SharedBufferAlgorithm(String name, ScheduledAlgorithm meaning, boolean commutative, long mostBytes) {
        super(name, meaning, new Restrictions(commutative, false, MOST_RANKS, mostBytes), WireUse.ONE_NODE,
            Execution.SHARED_BUFFER);
    }

    // Of the schedule, which a rule's chunk is for; the pieces in the buffer have lengths of their own.

    @Override
    public final boolean pipelined() {
        return schedule().pipelined();
    }

    @Override
    public final int hops(int ranks, Wires wires) {
        return schedule().hops(ranks, wires);
    }
}

package org.brigade.algorithm;

/**
 * Alltoall or allgather of longer blocks on one node, in which every byte is copied once: a rank tells all others where
 * its blocks lie, each reads its own from that rank's memory by process_vm_readv, and all wait until everybody has.
 *
 * <p>
 * Source: after Chai, Lai, Jin, Panda, "Designing an efficient kernel-level and user-level hybrid approach for MPI
 * intra-node communication on multi-core systems", 2008; the addresses are exchanged once for all messages of the call.
 * Rounds: two exchanges of a line by all, and n - 1 reads a rank: {@code T = 2 ts + (n - 1)(tk + m/B) + m/B} with tk
 * for a call of the kernel. Restrictions: one node, whose ranks may read each other's memory; elsewhere its schedule
 * runs. Blocks in the heap or on a device are copied once more, at either end.
 */
public final class SingleCopyAlgorithm extends FusedAlgorithm {
    /** Most ranks of which one can tell all where their blocks lie. */
    public static final int MOST_RANKS = 64;
    /** Longer blocks would need too much memory where they are copied first. */
    private static final long MOST_BYTES = 16L << 20;

    /** @param meaning runs where memory cannot be read, and in nonblocking calls */
    public SingleCopyAlgorithm(ScheduledAlgorithm meaning) {
        super("single-copy", meaning, new Restrictions(false, false, MOST_RANKS, MOST_BYTES), WireUse.ONE_NODE);
    }

    @Override
    public <R> R open(Runners<R> runners) {
        return runners.singleCopy();
    }

    @Override
    public boolean fallsBackOnSchedule() {
        return false;
    }

    @Override
    public double cost(CostModel model, PredictedCall call) {
        double copy = model.transfer(block(call));
        return 2 * model.start() + call.others() * (model.start() + copy) + copy;
    }
}

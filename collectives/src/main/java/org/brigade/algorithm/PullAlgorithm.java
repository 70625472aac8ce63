package org.brigade.algorithm;

/**
 * Barrier, allreduce, reduce-scatter or allgather of small blocks in memory that all ranks see. A rank publishes its
 * block once, in memory of its own; then it reads the blocks of all others, or its part of them, and reduces by itself.
 *
 * <p>
 * Source: after Jain, Kaleem, Gamell Balmana et al., "Framework for scalable intra-node collective operations using
 * shared memory", 2018, with a tree of one level. One round: {@code T = ts + (n + 1) m/B} for blocks of m bytes,
 * {@code ts + 2 n M/B} for an allreduce of M bytes, which are copied before they are added, and {@code ts + 3 M/B} for
 * a reduce-scatter of M bytes of input. A store reaches all readers, where a rank of {@code fused-flat} stores n - 1
 * times, and a processor's stores go one after another. Its reads are under way together. Restrictions: one node;
 * {@value #MOST_BYTES} bytes a rank; a reduce-scatter must commute.
 */
public final class PullAlgorithm extends FusedAlgorithm {
    /** Most bytes of a rank's block. */
    public static final int MOST_BYTES = 4 << 10;
    /** More have not been measured: each block has n - 1 readers, and their number tells at last. */
    private static final int MOST_RANKS = 64;

    private final boolean flat;

    private PullAlgorithm(String name, ScheduledAlgorithm meaning, boolean flat) {
        super(name, meaning, new Restrictions(meaning.restrictions().commutative(), false, MOST_RANKS, MOST_BYTES),
            WireUse.ONE_NODE);
        this.flat = flat;
    }

    /** @param meaning reduces in the same order: {@code recursive-doubling}, or {@code recursive-halving} */
    public static PullAlgorithm inRounds(ScheduledAlgorithm meaning) {
        return new PullAlgorithm("pull", meaning, false);
    }

    /**
     * {@code flat-pull}: blocking calls with the results of {@code fused-flat}; other calls are chosen again.
     *
     * @param meaning reduces in rank order
     */
    public static PullAlgorithm flat(ScheduledAlgorithm meaning) {
        return new PullAlgorithm("flat-pull", meaning, true);
    }

    @Override
    public <R> R open(Runners<R> runners) {
        return flat ? runners.flatPull() : runners.pull();
    }

    @Override
    public boolean fallsBackOnSchedule() {
        return !flat;
    }

    @Override
    public double cost(CostModel model, PredictedCall call) {
        double all = (double) call.ranks() * block(call);
        double moved = switch (collective()) {
            case ALLGATHER -> call.bytes() + all;
            case ALLREDUCE -> 2 * all;
            case REDUCE_SCATTER -> 3.0 * call.bytes();
            default -> 0;
        };
        return model.start() + model.transfer(moved);
    }
}

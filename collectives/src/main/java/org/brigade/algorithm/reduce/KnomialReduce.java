package org.brigade.algorithm.reduce;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * K-nomial tree reduce: neighbouring runs of ranks are joined, k at a time, into longer runs until one run is left.
 *
 * <p>
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", 2005, section
 * 4.4 (binomial tree). {@code T = ceil(log_k n)(ts + M/B + M c)}, up to k - 1 receives of a rank in each round. Rounds:
 * ceil(log_k n). Bytes: each rank but the root sends M. Restrictions: none: the head of a run is its lowest rank, or
 * the root if it is in it, so the root is at the top of the tree and runs stay in rank order.
 */
public final class KnomialReduce extends CollectiveAlgorithm {
    public KnomialReduce() {
        super(Collective.REDUCE, "knomial", Restrictions.NONE);
    }

    @Override
    public boolean pipelined() {
        return true;
    }

    @Override
    public boolean radixed() {
        return true;
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return model.collected(CostModel.rounds(call.ranks(), call.radix()),
            CostModel.treeMessages(call.ranks(), call.radix()), call.bytes(), call.chunk());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        schedule.windows(() -> reduce(geometry, geometry.radix(), schedule));
    }

    static void reduce(Geometry geometry, int radix, ScheduleBuilder schedule) {
        int rank = geometry.rank();
        boolean root = rank == geometry.root();
        // Leaves send their own data only and never touch it.
        Slice sum = root ? recv(schedule, 0) : leaf(geometry, radix) ? null : scratch(schedule, 0, 0);
        collect(geometry, geometry.root(), radix, schedule, send(schedule, 0), sum);
    }

    /** Whether the first run that a rank sends is the rank alone. */
    private static boolean leaf(Geometry geometry, int radix) {
        int rank = geometry.rank();
        int start = rank - rank % radix;
        return geometry.ranks() > 1 && head(start, Math.min(start + radix, geometry.ranks()), geometry.root()) != rank;
    }

    /**
     * The steps of one rank that bring the sum of all {@code own} to {@code sum} at the root; inner nodes use
     * {@code sum} for partial sums.
     */
    public static void collect(Geometry geometry, int root, int radix, ScheduleBuilder schedule, Slice own, Slice sum) {
        int ranks = geometry.ranks();
        int rank = geometry.rank();
        Slice current = own;
        for (long run = 1; run < ranks; run *= radix) {
            long joined = run * radix;
            int start = (int) (rank / joined * joined);
            int end = (int) Math.min(start + joined, ranks);
            int head = head(start, end, root);
            if (head != rank) {
                schedule.send(head, current);
                return;
            }
            int mine = (int) (rank / run * run);
            for (long lower = mine - run; lower >= start; lower -= run) {
                schedule.receiveReduce(head((int) lower, (int) (lower + run), root), sum, current, true);
                current = sum;
            }
            for (long upper = mine + run; upper < end; upper += run) {
                schedule.receiveReduce(head((int) upper, (int) Math.min(upper + run, ranks), root), sum, current,
                    false);
                current = sum;
            }
        }
        if (current == own) {
            schedule.copy(sum, own);
        }
    }

    /** The rank that acts for the run of ranks from start to end - 1. */
    private static int head(int start, int end, int root) {
        return root >= start && root < end ? root : start;
    }
}

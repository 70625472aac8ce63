package org.brigade.algorithm.bcast;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.pattern.KnomialTree;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * K-nomial tree broadcast: in each round every rank that has the data sends it to k - 1 others; chunks may be pipelined
 * down the tree.
 *
 * <p>
 * Source: Xin, Xie, Li, "Large message broadcast design for distributed machine learning" (2020), section 3.1, equation
 * (3): {@code T = ceil(log_k n)(ts + M/B)} for M bytes to n ranks. Rounds: ceil(log_k n), in each up to k - 1 sends of
 * a rank. Bytes: the root sends up to (k - 1) ceil(log_k n) M. Restrictions: none.
 */
public final class KnomialBcast extends CollectiveAlgorithm {
    public KnomialBcast() {
        super(Collective.BCAST, "knomial", Restrictions.NONE);
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
        return model.windowed(CostModel.treeMessages(call.ranks(), call.radix()), call.bytes(), call.chunk());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        schedule.windows(() -> spread(geometry, geometry.root(), geometry.radix(), schedule, recv(schedule, 0)));
    }

    /** The steps of one rank that bring the root's data to all. */
    public static void spread(Geometry geometry, int root, int radix, ScheduleBuilder schedule, Slice data) {
        int ranks = geometry.ranks();
        KnomialTree tree = new KnomialTree(ranks, radix);
        int node = Math.floorMod(geometry.rank() - root, ranks);
        if (node != 0) {
            schedule.receive((tree.parent(node) + root) % ranks, data);
        }
        for (int child : tree.children(node)) {
            schedule.send((child + root) % ranks, data);
        }
    }
}

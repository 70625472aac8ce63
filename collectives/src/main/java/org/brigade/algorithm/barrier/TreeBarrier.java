package org.brigade.algorithm.barrier;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.pattern.KnomialTree;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Tree barrier: signals climb a k-nomial tree to rank 0 and come down again. Rounds: 2 ceil(log_k n). Messages: 2 (n -
 * 1) in all, the fewest possible, so it suits jobs with more ranks than cores. Restrictions: none. No rule names it:
 * between nodes it takes 1.4 to 2 times what dissemination takes, on all machines and fat trees that are simulated.
 */
public final class TreeBarrier extends CollectiveAlgorithm {
    public TreeBarrier() {
        super(Collective.BARRIER, "tree", Restrictions.NONE);
    }

    @Override
    public boolean radixed() {
        return true;
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return 2 * CostModel.rounds(call.ranks(), 2) * model.start();
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        KnomialTree tree = new KnomialTree(geometry.ranks(), geometry.radix());
        int rank = geometry.rank();
        int[] children = tree.children(rank);
        for (int i = children.length - 1; i >= 0; i--) {
            schedule.awaitSignal(children[i]);
        }
        if (rank != 0) {
            schedule.signal(tree.parent(rank));
            schedule.awaitSignal(tree.parent(rank));
        }
        for (int child : children) {
            schedule.signal(child);
        }
    }
}

package org.brigade.algorithm.scatter;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.pattern.KnomialTree;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Binomial tree scatter: every node of the tree gets the blocks of its subtree in SCRATCH and passes them on by halves.
 *
 * <p>
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", 2005, section 3.
 * {@code T = ceil(log2 n) ts + ((n - 1)/n) M/B} for M bytes at the root. Rounds: ceil(log2 n). Bytes: a block travels
 * up to log2 n hops. Restrictions: none. A subtree that runs past the last rank takes two messages, as blocks are in
 * rank order everywhere.
 */
public final class BinomialScatter extends CollectiveAlgorithm {
    public BinomialScatter() {
        super(Collective.SCATTER, "binomial", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return CostModel.rounds(call.ranks(), 2) * model.start() + call.others() * model.transfer(call.bytes());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        KnomialTree tree = new KnomialTree(geometry.ranks(), 2);
        int rank = geometry.rank();
        int node = geometry.relative(rank);
        int[] children = tree.children(node);
        if (node != 0) {
            int parent = geometry.absolute(tree.parent(node));
            if (children.length == 0) {
                schedule.receive(parent, recv(schedule, 0));
                return;
            }
            int size = tree.end(node) - node;
            int before = Math.min(size, geometry.ranks() - rank);
            schedule.receive(parent, schedule.scratch(0, Index.of(rank), before));
            if (before < size) {
                schedule.receive(parent, schedule.scratch(0, Index.of(0), size - before));
            }
        }
        for (int child : children) {
            int peer = geometry.absolute(child);
            int size = tree.end(child) - child;
            int before = Math.min(size, geometry.ranks() - peer);
            schedule.send(peer, held(geometry, schedule, peer, before));
            if (before < size) {
                schedule.send(peer, held(geometry, schedule, 0, size - before));
            }
        }
        schedule.copy(recv(schedule, 0), held(geometry, schedule, rank, 1));
    }

    private static Slice held(Geometry geometry, ScheduleBuilder schedule, int first, int blocks) {
        Index index = Index.of(first);
        return geometry.rank() == geometry.root() ? schedule.send(index, blocks) : schedule.scratch(0, index, blocks);
    }
}

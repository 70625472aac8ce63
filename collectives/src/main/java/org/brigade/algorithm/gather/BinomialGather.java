package org.brigade.algorithm.gather;

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
 * Binomial tree gather: every node of the tree collects the blocks of its subtree in SCRATCH and sends them on
 * together.
 *
 * <p>
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", 2005, section 3.
 * {@code T = ceil(log2 n) ts + ((n - 1)/n) M/B} for M bytes at the root. Rounds: ceil(log2 n). Bytes: a block travels
 * up to log2 n hops. Restrictions: none. A subtree that runs past the last rank takes two messages, as blocks are in
 * rank order everywhere.
 */
public final class BinomialGather extends CollectiveAlgorithm {
    public BinomialGather() {
        super(Collective.GATHER, "binomial", Restrictions.NONE);
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
        Slice own = send(schedule, 0);
        if (node != 0 && children.length == 0) {
            schedule.send(geometry.absolute(tree.parent(node)), own);
            return;
        }
        schedule.copy(collected(geometry, schedule, rank, 1), own);
        for (int i = children.length - 1; i >= 0; i--) {
            int child = children[i];
            int peer = geometry.absolute(child);
            int size = tree.end(child) - child;
            int before = Math.min(size, geometry.ranks() - peer);
            schedule.receive(peer, collected(geometry, schedule, peer, before));
            if (before < size) {
                schedule.receive(peer, collected(geometry, schedule, 0, size - before));
            }
        }
        if (node != 0) {
            int parent = geometry.absolute(tree.parent(node));
            int size = tree.end(node) - node;
            int before = Math.min(size, geometry.ranks() - rank);
            schedule.send(parent, collected(geometry, schedule, rank, before));
            if (before < size) {
                schedule.send(parent, collected(geometry, schedule, 0, size - before));
            }
        }
    }

    private static Slice collected(Geometry geometry, ScheduleBuilder schedule, int first, int blocks) {
        Index index = Index.of(first);
        return geometry.rank() == geometry.root() ? schedule.recv(index, blocks) : schedule.scratch(0, index, blocks);
    }
}

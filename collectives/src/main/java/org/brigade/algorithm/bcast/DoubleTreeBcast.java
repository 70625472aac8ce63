package org.brigade.algorithm.bcast;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.TwoTrees;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Double binary tree broadcast: the root feeds one half of the message, chunk by chunk, into each of two binary trees
 * of the other ranks. A rank passes chunks on in one tree only and is a leaf in the other, so all ranks send and
 * receive at the full rate.
 *
 * <p>
 * Source: Sanders, Speck, Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan", 2009, section
 * 3. With trees of height h below the root, {@code T = (M/C + 2 h - 1)(ts + C/B)} for M bytes in chunks of C. Rounds:
 * chunks + 2 h - 1. Bytes: a rank that is inner sends M, as the root does. Restrictions: none. For large messages on
 * many ranks, where a chain is long.
 *
 * <p>
 * Left and right edges of each tree are stages of their own: neither tree waits for the other's chunks. A rank's two
 * children share its link's full rate, as each also receives from another parent. Each pair of sender and receiver
 * belongs to one tree, as no rank is inner in both.
 */
public final class DoubleTreeBcast extends CollectiveAlgorithm {
    public DoubleTreeBcast() {
        super(Collective.BCAST, "double-tree", Restrictions.NONE);
    }

    @Override
    public boolean pipelined() {
        return true;
    }

    @Override
    public int hops(int ranks, CommunicatorTopology wires) {
        return ranks < 2 ? 0 : 2 * new TwoTrees(ranks - 1).height() + 1;
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        long half = (call.bytes() + 1) / 2;
        long chunk = call.chunk() == 0 ? half : Math.min(half, call.chunk());
        return model.trees(hops(call.ranks(), call.wires()), call.bytes(), chunk);
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int ranks = geometry.ranks();
        schedule.split(2);
        if (ranks == 1) {
            return;
        }
        TwoTrees trees = new TwoTrees(ranks - 1);
        int position = geometry.relative(geometry.rank());
        schedule.stages(4);
        schedule.windows(() -> {
            for (int tree = 0; tree < 2; tree++) {
                // Between two ranks both halves go the same way, in one stream.
                int stage = ranks == 2 ? 0 : 2 * tree;
                Slice half = recv(schedule, tree);
                if (position == 0) {
                    schedule.stage(stage);
                    schedule.send(geometry.absolute(trees.top(tree)), half);
                    continue;
                }
                int parent = trees.parent(tree, position);
                schedule.stage(stage + (position < parent ? 1 : 0));
                schedule.receive(geometry.absolute(parent), half);
                int left = trees.left(tree, position);
                if (left != TwoTrees.NONE) {
                    schedule.stage(stage + 1);
                    schedule.send(geometry.absolute(left), half);
                }
                int right = trees.right(tree, position);
                if (right != TwoTrees.NONE) {
                    schedule.stage(stage);
                    schedule.send(geometry.absolute(right), half);
                }
            }
        });
    }
}

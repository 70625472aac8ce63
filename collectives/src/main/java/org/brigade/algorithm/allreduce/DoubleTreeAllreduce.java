package org.brigade.algorithm.allreduce;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.TwoTrees;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Double binary tree allreduce: the halves of the vector climb two binary trees, chunk by chunk, and the sums come down
 * the same trees. A rank adds up in one tree only and is a leaf in the other, so all ranks send and receive at the full
 * rate.
 *
 * <p>
 * Source: Sanders, Speck, Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan", 2009, section
 * 4. With trees of height h, {@code T = 2 (M/C + 2 h - 1)(ts + C/B)} for M bytes in chunks of C, and M c. Rounds: 2
 * (chunks + 2 h - 1). Bytes: 2 M a rank. Restrictions: none: the trees are in rank order.
 *
 * <p>
 * First all chunks go up, then all come down. A rank may send another rank sums of one tree (up) and results of the
 * other (down); in one stream a chunk going up would wait for another chunk's whole trip. Left and right edges of each
 * tree are stages of their own, as in {@link org.brigade.algorithm.bcast.DoubleTreeBcast}; a stage has the way up of
 * one tree and the way down of the other.
 */
public final class DoubleTreeAllreduce extends CollectiveAlgorithm {
    public DoubleTreeAllreduce() {
        super(Collective.ALLREDUCE, "double-tree", Restrictions.NONE);
    }

    @Override
    public boolean pipelined() {
        return true;
    }

    @Override
    public int hops(int ranks, CommunicatorTopology wires) {
        return ranks < 2 ? 0 : Math.max(1, 2 * new TwoTrees(ranks).height() - 1);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        long half = (call.bytes() + 1) / 2;
        long chunk = call.chunk() == 0 ? half : Math.min(half, call.chunk());
        // Two ranks swap halves both times.
        return (call.ranks() == 2 ? 1 : 2) * model.trees(hops(call.ranks(), call.wires()), call.bytes(), chunk);
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        schedule.split(2);
        if (geometry.ranks() == 1) {
            schedule.copy(schedule.recv(Index.of(0), 2), schedule.send(Index.of(0), 2));
            return;
        }
        TwoTrees trees = new TwoTrees(geometry.ranks());
        int position = geometry.rank() + 1;
        schedule.stages(4);
        schedule.windows(() -> {
            for (int tree = 0; tree < 2; tree++) {
                up(trees, tree, position, schedule);
            }
        });
        schedule.windows(() -> {
            for (int tree = 0; tree < 2; tree++) {
                down(trees, tree, position, schedule);
            }
        });
    }

    /**
     * Sums going up one tree and results coming down the other may share a stream if both go to higher ranks, or both
     * to lower ranks.
     */
    private static int stage(int stream, int from, int to) {
        return 2 * stream + (from < to ? 0 : 1);
    }

    private static void up(TwoTrees trees, int tree, int position, ScheduleBuilder schedule) {
        Slice sum = recv(schedule, tree);
        Slice current = send(schedule, tree);
        int left = trees.left(tree, position);
        int right = trees.right(tree, position);
        int parent = trees.parent(tree, position);
        if (left != TwoTrees.NONE) {
            schedule.stage(stage(tree, left, position));
            schedule.receiveReduce(left - 1, sum, current, true);
            current = sum;
        }
        if (right != TwoTrees.NONE) {
            schedule.stage(stage(tree, right, position));
            schedule.receiveReduce(right - 1, sum, current, false);
            current = sum;
        }
        if (parent != TwoTrees.NONE) {
            schedule.stage(stage(tree, position, parent));
            schedule.send(parent - 1, current);
        }
    }

    private static void down(TwoTrees trees, int tree, int position, ScheduleBuilder schedule) {
        Slice sum = recv(schedule, tree);
        int[] children = {trees.left(tree, position), trees.right(tree, position)};
        int parent = trees.parent(tree, position);
        if (parent != TwoTrees.NONE) {
            schedule.stage(stage(1 - tree, parent, position));
            schedule.receive(parent - 1, sum);
        }
        for (int child : children) {
            if (child != TwoTrees.NONE) {
                schedule.stage(stage(1 - tree, position, child));
                schedule.send(child - 1, sum);
            }
        }
    }
}

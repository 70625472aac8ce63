package org.brigade.algorithm.reduce;

import mpi.spi.Collective;
import org.brigade.algorithm.HierarchicalAlgorithm;
import org.brigade.algorithm.Leaders;
import org.brigade.algorithm.Restrictions;
import org.brigade.pattern.LeaderTree;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Hierarchical reduce: chunks take the paths of the hierarchical broadcast backwards, and every rank adds its own.
 *
 * <p>
 * Source: as {@link org.brigade.algorithm.bcast.HierarchicalBcast}; {@code T = (M/C + h - 1)(ts + C/B + C c)}. Rounds:
 * chunks + h - 1. Bytes: every rank but the root sends M. Restrictions: commutative, as groups may be any ranks.
 * Without levels it is the pipelined chain in the order of the wires. Operations that do not commute use
 * {@link PipelinedChainReduce}.
 */
public final class HierarchicalReduce extends HierarchicalAlgorithm {
    public HierarchicalReduce(Leaders leaders) {
        super(Collective.REDUCE, leaders, Restrictions.COMMUTATIVE);
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        LeaderTree[] trees = leaders.from(geometry);
        boolean root = geometry.rank() == geometry.root();
        schedule.split(trees.length);
        schedule.stages(leaders.stages(geometry));
        schedule.windows(() -> {
            // The slices with the longest way go first.
            for (int i = trees.length - 1; i >= 0; i--) {
                int slice = trees[i].slice();
                // Leaves send their own data only and never touch scratch.
                Slice sum = root ? recv(schedule, slice)
                    : trees[i].children(geometry.rank()).length == 0 ? null : scratch(schedule, 0, slice);
                collect(trees[i], geometry.rank(), 0, schedule, send(schedule, slice), sum);
            }
        });
    }

    /**
     * The steps of one rank that bring the sum of all {@code own} to {@code sum} at the root; inner nodes use
     * {@code sum} for partial sums.
     *
     * @param stage the first; those of all levels follow
     */
    public static void collect(LeaderTree tree, int rank, int stage, ScheduleBuilder schedule, Slice own, Slice sum) {
        LeaderTree.Edge[] children = tree.children(rank);
        LeaderTree.Edge parent = tree.parent(rank);
        Slice current = own;
        // The nearest first: distant children are late anyway.
        for (int child = children.length - 1; child >= 0; child--) {
            schedule.stage(stage + Leaders.stage(tree, children[child], true));
            schedule.receiveReduce(children[child].rank(), sum, current, false);
            current = sum;
        }
        if (parent != null) {
            schedule.stage(stage + Leaders.stage(tree, parent, true));
            schedule.send(parent.rank(), current);
        } else if (current == own) {
            schedule.copy(sum, own);
        }
    }
}

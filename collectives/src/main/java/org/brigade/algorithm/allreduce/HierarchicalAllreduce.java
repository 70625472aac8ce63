package org.brigade.algorithm.allreduce;

import mpi.spi.Collective;
import org.brigade.algorithm.HierarchicalAlgorithm;
import org.brigade.algorithm.Leaders;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.bcast.HierarchicalBcast;
import org.brigade.algorithm.reduce.HierarchicalReduce;
import org.brigade.pattern.LeaderTree;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Hierarchical allreduce: over any number of levels, every group reduces to its leader, the leaders of the outermost
 * groups reduce among themselves, and the sums go back the same ways. Chunk follows chunk, and each level and direction
 * is a stage of its own, so the slow links between groups are busy while the groups work on the chunks before and
 * behind.
 *
 * <p>
 * Source: Temucin, Sojoodi, Alizadeh, Afsahi, "Efficient multi-path NVLink/PCIe-aware UCX based collective
 * communication for deep learning", 2021, section V.B: with one level (the sockets) and one leader a group, its three
 * stages. The links choose the paths that a message between sockets takes. With h as in {@link HierarchicalBcast},
 * {@code T = (M/C + 2 h - 1)(ts + C/B + C c)}. Rounds: chunks + 2 h - 1. Bytes: M over each level's links in each
 * direction. With several leaders each reduces and spreads its own slice: first all reduce, then all spread.
 * Restrictions: commutative, as groups may be any ranks.
 */
public final class HierarchicalAllreduce extends HierarchicalAlgorithm {
    public HierarchicalAllreduce(Leaders leaders) {
        super(Collective.ALLREDUCE, leaders, Restrictions.COMMUTATIVE);
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        LeaderTree[] trees = leaders.among(geometry);
        int rank = geometry.rank();
        int stages = leaders.stages(geometry);
        schedule.split(trees.length);
        if (trees.length > 1) {
            // Between two ranks one slice may go up and another come down. In one stream a chunk's way up would wait
            // for
            // another's way down, so first all go up, then all come down.
            schedule.stages(stages);
            schedule.windows(() -> reduce(trees, rank, schedule));
            schedule.windows(() -> spread(trees, rank, 0, schedule));
            return;
        }
        schedule.stages(2 * stages);
        schedule.windows(() -> {
            reduce(trees, rank, schedule);
            spread(trees, rank, stages, schedule);
        });
    }

    /** The slices with the longest way go first. */
    private static void reduce(LeaderTree[] trees, int rank, ScheduleBuilder schedule) {
        for (int i = trees.length - 1; i >= 0; i--) {
            int slice = trees[i].slice();
            HierarchicalReduce.collect(trees[i], rank, 0, schedule, send(schedule, slice), recv(schedule, slice));
        }
    }

    private static void spread(LeaderTree[] trees, int rank, int stage, ScheduleBuilder schedule) {
        for (LeaderTree tree : trees) {
            HierarchicalBcast.spread(tree, rank, stage, schedule, recv(schedule, tree.slice()));
        }
    }
}

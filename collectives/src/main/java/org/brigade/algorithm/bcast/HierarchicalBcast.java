package org.brigade.algorithm.bcast;

import mpi.spi.Collective;
import org.brigade.algorithm.HierarchicalAlgorithm;
import org.brigade.algorithm.Leaders;
import org.brigade.algorithm.Restrictions;
import org.brigade.pattern.LeaderTree;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Hierarchical broadcast: over any number of levels, chunks go from leader to leader of the outermost groups, and from
 * each leader through its group in the same way, level by level. Each level is a stage of its own: a leader passes
 * chunks on to the next node and within its own at once.
 *
 * <p>
 * Source: Karonis et al., "Exploiting hierarchy in parallel computer networks to optimize collective operation
 * performance", 2000 (levels); Awan, Hamidouche, Venkatesh, Panda, "Efficient large message broadcast using NCCL and
 * CUDA-aware MPI for deep learning", 2016 (pipelined). Hops h are the sum over the levels of the largest group's
 * members less one: {@code T = (M/C + h - 1)(ts + C/B)} for the slowest link's B. Rounds: chunks + h - 1. Bytes: M over
 * each level's links once. With several leaders each has M/leaders of what leaves its group, and a rank sends up to (1
 * + 1/leaders) M within it, as slices go both ways from where they enter. Restrictions: none; any mapping of ranks to
 * groups.
 */
public final class HierarchicalBcast extends HierarchicalAlgorithm {
    public HierarchicalBcast(Leaders leaders) {
        super(Collective.BCAST, leaders, Restrictions.NONE);
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        LeaderTree[] trees = leaders.from(geometry);
        schedule.split(trees.length);
        schedule.stages(leaders.stages(geometry));
        schedule.windows(() -> {
            for (LeaderTree tree : trees) {
                spread(tree, geometry.rank(), 0, schedule, recv(schedule, tree.slice()));
            }
        });
    }

    /**
     * The steps of one rank that bring the root's data to all.
     *
     * @param stage the first; those of all levels follow
     */
    public static void spread(LeaderTree tree, int rank, int stage, ScheduleBuilder schedule, Slice data) {
        LeaderTree.Edge parent = tree.parent(rank);
        if (parent != null) {
            schedule.stage(stage + Leaders.stage(tree, parent, false));
            schedule.receive(parent.rank(), data);
        }
        for (LeaderTree.Edge child : tree.children(rank)) {
            schedule.stage(stage + Leaders.stage(tree, child, false));
            schedule.send(child.rank(), data);
        }
    }
}

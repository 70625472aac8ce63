package org.brigade.algorithm.barrier;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.Dissemination;
import org.brigade.pattern.Hierarchy;
import org.brigade.pattern.LeaderGroups;
import org.brigade.pattern.LeaderTree;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Leader dissemination barrier: within each outermost group signals climb to the leader, the leaders disseminate among
 * themselves, and signals come down again.
 *
 * <p>
 * Source: Karonis et al., "Exploiting hierarchy in parallel computer networks to optimize collective operation
 * performance", 2000 (levels); {@link DisseminationBarrier} among the leaders. Rounds: two for each round of a group's
 * tree, and ceil(log2 g) among g leaders. Messages between groups: g in each of those, however many ranks the groups
 * have. Restrictions: none; without levels every rank leads itself.
 */
public final class LeaderDisseminationBarrier extends CollectiveAlgorithm {
    public LeaderDisseminationBarrier() {
        super(Collective.BARRIER, "leader-dissemination", Restrictions.NONE, WireUse.NODES);
    }

    @Override
    public boolean radixed() {
        return true;
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        Hierarchy hierarchy = call.wires().hierarchy(call.ranks());
        int groups = hierarchy.most(hierarchy.depth());
        int within = CostModel.treeMessages(call.ranks(), call.radix(), call.wires())
            - CostModel.treeMessages(groups, call.radix());
        return Math.max(1, 2 * within + CostModel.rounds(groups, 2)) * model.start();
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        LeaderGroups groups = new LeaderGroups(geometry.wires().hierarchy(geometry.ranks()), geometry.radix());
        LeaderTree.Edge[] children = groups.children(geometry.rank());
        for (int child = children.length - 1; child >= 0; child--) {
            schedule.awaitSignal(children[child].rank());
        }
        LeaderTree.Edge parent = groups.parent(geometry.rank());
        if (parent != null) {
            schedule.signal(parent.rank());
            schedule.awaitSignal(parent.rank());
        } else {
            int leader = groups.group(geometry.rank());
            Dissemination among = new Dissemination(groups.count());
            for (int round = 0; round < among.rounds(); round++) {
                schedule.signal(groups.leader(among.to(leader, round)));
                schedule.awaitSignal(groups.leader(among.from(leader, round)));
            }
        }
        for (LeaderTree.Edge child : children) {
            schedule.signal(child.rank());
        }
    }
}

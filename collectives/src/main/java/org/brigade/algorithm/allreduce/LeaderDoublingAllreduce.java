package org.brigade.algorithm.allreduce;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.Hierarchy;
import org.brigade.pattern.LeaderGroups;
import org.brigade.pattern.LeaderTree;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Leader doubling allreduce, for short vectors: each outermost group reduces to its leader, the leaders exchange sums
 * by {@linkplain RecursiveDoublingAllreduce recursive doubling}, and each spreads the result through its group.
 *
 * <p>
 * Source: Karonis et al., "Exploiting hierarchy in parallel computer networks to optimize collective operation
 * performance", 2000 (levels); Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
 * MPICH", 2005, section 4 (doubling). Among g groups, log2 g rounds cross between them (two more unless g is a power of
 * two): half of what a tree of leaders takes up and down. Each round has g messages, however many ranks the groups
 * have. Bytes: M a message. Restrictions: commutative, as groups may be any ranks. Without levels it is recursive
 * doubling in the order of the wires.
 */
public final class LeaderDoublingAllreduce extends CollectiveAlgorithm {
    public LeaderDoublingAllreduce() {
        super(Collective.ALLREDUCE, "leader-doubling", Restrictions.COMMUTATIVE, WireUse.NODES);
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
        int among = CostModel.floorLog(groups) + (Integer.bitCount(groups) == 1 ? 0 : 2);
        return Math.max(1, 2 * within + among) * model.message(call.bytes());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int rank = geometry.rank();
        LeaderGroups groups = new LeaderGroups(geometry.wires().hierarchy(geometry.ranks()), geometry.radix());
        LeaderTree.Edge[] children = groups.children(rank);
        LeaderTree.Edge parent = groups.parent(rank);
        Slice sum = recv(schedule, 0);
        Slice current = send(schedule, 0);
        for (int child = children.length - 1; child >= 0; child--) {
            schedule.receiveReduce(children[child].rank(), sum, current, false);
            current = sum;
        }
        if (parent != null) {
            schedule.send(parent.rank(), current);
            schedule.receive(parent.rank(), sum);
        } else {
            RecursiveDoublingAllreduce.exchange(groups.count(), groups, groups.group(rank), schedule, current,
                geometry.inPlace() || children.length > 0);
        }
        for (LeaderTree.Edge child : children) {
            schedule.send(child.rank(), sum);
        }
    }
}

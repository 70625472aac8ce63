package org.brigade.algorithm.bcast;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.KnomialTree;
import org.brigade.pattern.Order;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Scatter-allgather broadcast: the message is cut into n blocks. A binomial tree scatters them and a ring gathers them
 * on every rank, both over the ranks from the root on in the order of the wires.
 *
 * <p>
 * Source: Xin, Xie, Li, "Large message broadcast design for distributed machine learning" (2020), section 3.1, equation
 * (4): {@code T = (ceil(log2 n) + n - 1) ts + 2 ((n - 1)/n) M/B} for M bytes over n ranks. Rounds: ceil(log2 n) + n -
 * 1. Bytes: less than 2 M a rank: the ring skips blocks that a rank already has from the tree, and the root receives
 * nothing. Restrictions: none.
 */
public final class ScatterAllgatherBcast extends CollectiveAlgorithm {
    public ScatterAllgatherBcast() {
        super(Collective.BCAST, "scatter-allgather", Restrictions.NONE, WireUse.ORDER);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        double others = call.others();
        return (CostModel.rounds(call.ranks(), 2) + others) * model.start()
            + 2 * others / call.ranks() * model.transfer(call.bytes());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int ranks = geometry.ranks();
        KnomialTree tree = new KnomialTree(ranks, 2);
        Order order = geometry.order();
        int root = order.position(geometry.root());
        int node = Math.floorMod(order.position(geometry.rank()) - root, ranks);
        schedule.split(ranks);
        if (ranks == 1) {
            return;
        }

        if (node != 0) {
            schedule.receive(order.rank((root + tree.parent(node)) % ranks),
                schedule.recv(Index.of(node), tree.end(node) - node));
        }
        for (int child : tree.children(node)) {
            schedule.send(order.rank((root + child) % ranks), schedule.recv(Index.of(child), tree.end(child) - child));
        }

        int next = (node + 1) % ranks;
        int right = order.rank((root + next) % ranks);
        int left = order.rank(Math.floorMod(root + node - 1, ranks));
        int sends = ranks - (tree.end(next) - next);
        int receives = ranks - (tree.end(node) - node);
        int both = Math.min(sends, receives);
        schedule.rounds(both, round -> {
            schedule.send(right, schedule.recv(round.times(-1).plus(node).mod(ranks), 1));
            schedule.receive(left, schedule.recv(round.times(-1).plus(node - 1).mod(ranks), 1));
        });
        schedule.rounds(sends - both,
            round -> schedule.send(right, schedule.recv(round.times(-1).plus(node - both).mod(ranks), 1)));
        schedule.rounds(receives - both,
            round -> schedule.receive(left, schedule.recv(round.times(-1).plus(node - 1 - both).mod(ranks), 1)));
    }
}

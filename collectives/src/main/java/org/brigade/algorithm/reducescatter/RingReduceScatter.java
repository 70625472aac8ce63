package org.brigade.algorithm.reducescatter;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.Order;
import org.brigade.pattern.Ring;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Ring reduce-scatter: every block travels once around the ring to its owner, and every rank on the way adds to it.
 *
 * <p>
 * Source: Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009 (its first
 * half). {@code T = (n - 1) ts + ((n - 1)/n)(M/B + M c)} for M bytes of input. Rounds: n - 1. Bytes: ((n - 1)/n) M a
 * rank, the least possible; neighbours only. Restrictions: commutative (a block is summed from the rank behind its
 * owner on, in the order of the wires).
 */
public final class RingReduceScatter extends CollectiveAlgorithm {
    public RingReduceScatter() {
        super(Collective.REDUCE_SCATTER, "ring", Restrictions.COMMUTATIVE, WireUse.ORDER);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return call.others() * model.message((double) call.bytes() / call.ranks());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int ranks = geometry.ranks();
        int rank = geometry.rank();
        Order order = geometry.order();
        int position = order.position(rank);
        Ring ring = new Ring(order);
        int right = ring.next(rank);
        int left = ring.previous(rank);
        Slice own = send(schedule, rank);
        Slice result = recv(schedule, 0);
        if (ranks == 1) {
            schedule.copy(result, own);
            return;
        }
        schedule.send(right, send(schedule, left));
        if (ranks == 2) {
            schedule.receiveReduce(left, result, own, true);
            return;
        }
        int second = ring.previous(left);
        schedule.receiveReduce(left, scratch(schedule, 0, second), send(schedule, second), true);
        schedule.rounds(ranks - 3, round -> {
            Index block = round.times(-1).plus(position - 3).mod(ranks).in(order);
            schedule.send(right, schedule.scratch(0, round.times(-1).plus(position - 2).mod(ranks).in(order), 1));
            schedule.receiveReduce(Index.of(left), schedule.scratch(0, block, 1), schedule.send(block, 1), true);
        });
        schedule.send(right, scratch(schedule, 0, right));
        schedule.receiveReduce(left, result, own, true);
    }
}

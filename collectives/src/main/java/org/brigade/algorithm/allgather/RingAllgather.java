package org.brigade.algorithm.allgather;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.Order;
import org.brigade.pattern.Ring;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Ring allgather: every rank passes on to the next what it received from the one before, in the order of the wires.
 *
 * <p>
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", 2005, section
 * 3.1: {@code T = (n - 1) ts + ((n - 1)/n) M/B} for M bytes gathered. Rounds: n - 1. Bytes: ((n - 1)/n) M a rank, the
 * least possible; neighbours only. Restrictions: none. Serves allgather and allgatherv.
 */
public final class RingAllgather extends CollectiveAlgorithm {
    public RingAllgather(Collective collective) {
        super(collective, "ring", Restrictions.NONE, WireUse.ORDER);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        // For allgatherv the bytes are those of all ranks, else of one.
        double blocks = collective() == Collective.ALLGATHERV ? (double) call.others() / call.ranks() : call.others();
        return call.others() * model.start() + blocks * model.transfer(call.bytes());
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
        if (ranks > 1) {
            schedule.send(right, send(schedule, 0));
            schedule.receive(left, recv(schedule, left));
        }
        schedule.rounds(ranks - 2, round -> {
            schedule.send(right, schedule.recv(round.times(-1).plus(position - 1).mod(ranks).in(order), 1));
            schedule.receive(left, schedule.recv(round.times(-1).plus(position - 2).mod(ranks).in(order), 1));
        });
        schedule.copy(recv(schedule, rank), send(schedule, 0));
    }
}

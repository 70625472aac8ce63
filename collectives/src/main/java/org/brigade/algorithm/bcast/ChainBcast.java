package org.brigade.algorithm.bcast;

import static org.brigade.pattern.Chain.NOBODY;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.Chain;
import org.brigade.pattern.Order;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Chain broadcast: every rank passes the whole message on to the next, in the order of the wires.
 *
 * <p>
 * Source: Xin, Xie, Li, "Large message broadcast design for distributed machine learning" (2020), section 3.1, equation
 * (2): {@code T = (n - 1)(ts + M/B)} for M bytes over n ranks. Rounds: n - 1. Bytes: every rank but the last sends M.
 * Restrictions: none.
 */
public final class ChainBcast extends CollectiveAlgorithm {
    public ChainBcast() {
        super(Collective.BCAST, "chain", Restrictions.NONE, WireUse.ORDER);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return call.others() * model.message(call.bytes());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        pass(geometry, geometry.order(), schedule);
    }

    /** Passes data along an order, from the root on and around its end. */
    static void pass(Geometry geometry, Order order, ScheduleBuilder schedule) {
        Chain chain = new Chain(order, geometry.root());
        int previous = chain.before(geometry.rank());
        int next = chain.after(geometry.rank());
        Slice data = recv(schedule, 0);
        if (previous != NOBODY) {
            schedule.receive(previous, data);
        }
        if (next != NOBODY) {
            schedule.send(next, data);
        }
    }
}

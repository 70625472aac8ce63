package org.brigade.algorithm.bcast;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Direct broadcast: the root sends to every other rank, one after another.
 *
 * <p>
 * Source: Xin, Xie, Li, "Large message broadcast design for distributed machine learning" (2020), section 3.1, equation
 * (1): {@code T = (n - 1)(ts + M/B)} for M bytes to n ranks. Rounds: 1 for the others, n - 1 for the root. Bytes: the
 * root sends (n - 1) M. Restrictions: none.
 */
public final class DirectBcast extends CollectiveAlgorithm {
    public DirectBcast() {
        super(Collective.BCAST, "direct", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return call.others() * model.message(call.bytes());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        Slice data = recv(schedule, 0);
        if (geometry.rank() != geometry.root()) {
            schedule.receive(geometry.root(), data);
        } else {
            int ranks = geometry.ranks();
            schedule.rounds(ranks - 1, round -> schedule.send(round.plus(geometry.root() + 1).mod(ranks), data));
        }
    }
}

package org.brigade.algorithm.bcast;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Binomial tree broadcast: the number of ranks that have the data doubles in every round.
 *
 * <p>
 * Source: Xin, Xie, Li, "Large message broadcast design for distributed machine learning" (2020), section 3.1, equation
 * (3) with k = 2: {@code T = ceil(log2 n)(ts + M/B)} for M bytes to n ranks. Rounds: ceil(log2 n). Bytes: the root
 * sends ceil(log2 n) M. Restrictions: none.
 */
public final class BinomialBcast extends CollectiveAlgorithm {
    public BinomialBcast() {
        super(Collective.BCAST, "binomial", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return CostModel.rounds(call.ranks(), 2) * model.message(call.bytes());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        KnomialBcast.spread(geometry, geometry.root(), 2, schedule, recv(schedule, 0));
    }
}

package org.brigade.algorithm.reduce;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Binomial tree reduce: neighbouring runs of ranks are joined two by two, {@code ((0+1)+(2+3))+...}.
 *
 * <p>
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", 2005, section
 * 4.4: {@code T = ceil(log2 n)(ts + M/B + M c)}. Rounds: ceil(log2 n). Bytes: each rank but the root sends M.
 * Restrictions: none.
 */
public final class BinomialReduce extends CollectiveAlgorithm {
    public BinomialReduce() {
        super(Collective.REDUCE, "binomial", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return CostModel.rounds(call.ranks(), 2) * model.message(call.bytes());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        KnomialReduce.reduce(geometry, 2, schedule);
    }
}

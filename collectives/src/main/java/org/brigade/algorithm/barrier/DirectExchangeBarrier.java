package org.brigade.algorithm.barrier;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Direct barrier: every rank signals every other and waits for them all. Rounds: 1. Messages: n - 1 a rank.
 * Restrictions: none.
 */
public final class DirectExchangeBarrier extends CollectiveAlgorithm {
    public DirectExchangeBarrier() {
        super(Collective.BARRIER, "direct-exchange", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return call.others() * model.start();
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int ranks = geometry.ranks();
        for (int distance = 1; distance < ranks; distance++) {
            schedule.signal((geometry.rank() + distance) % ranks);
        }
        for (int distance = 1; distance < ranks; distance++) {
            schedule.awaitSignal(Math.floorMod(geometry.rank() - distance, ranks));
        }
    }
}

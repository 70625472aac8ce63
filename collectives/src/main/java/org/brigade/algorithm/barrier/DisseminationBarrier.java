package org.brigade.algorithm.barrier;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.pattern.Dissemination;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Dissemination barrier: in round k every rank signals the rank 2^k further on, and then knows of twice as many ranks.
 *
 * <p>
 * Source: Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", 1988. Rounds: ceil(log2 n), a message
 * of each rank in each. Restrictions: none.
 */
public final class DisseminationBarrier extends CollectiveAlgorithm {
    public DisseminationBarrier() {
        super(Collective.BARRIER, "dissemination", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return CostModel.rounds(call.ranks(), 2) * model.start();
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        Dissemination pattern = new Dissemination(geometry.ranks());
        for (int round = 0; round < pattern.rounds(); round++) {
            schedule.signal(pattern.to(geometry.rank(), round));
            schedule.awaitSignal(pattern.from(geometry.rank(), round));
        }
    }
}

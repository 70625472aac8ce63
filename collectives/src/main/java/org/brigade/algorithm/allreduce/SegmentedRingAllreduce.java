package org.brigade.algorithm.allreduce;

import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Segmented ring allreduce: the ring with blocks cut into chunks. A chunk is passed on while the next is being summed
 * and its sum is still in cache. With two ranks nothing lies between sum and spread, so each chunk goes back as soon as
 * it is summed.
 *
 * <p>
 * Source: Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009, with segments.
 * {@code T = 2 (n - 1) (M/(n C)) (ts + C/B) + ...} for chunks of C bytes. Rounds: 2 (n - 1) times the chunks of a
 * block. Bytes: 2 ((n - 1)/n) M a rank, the least possible. Restrictions: commutative (block b is summed from the
 * ring's position b on).
 */
public final class SegmentedRingAllreduce extends RingAllreduce {
    public SegmentedRingAllreduce() {
        super("segmented-ring");
    }

    @Override
    public boolean pipelined() {
        return true;
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        double windows = CostModel.windows(call.bytes() / call.ranks(), call.chunk());
        return 2 * call.others() * (model.start() * windows + model.transfer((double) call.bytes() / call.ranks()));
    }

    @Override
    void each(ScheduleBuilder schedule, Runnable steps) {
        schedule.windows(steps);
    }
}

package org.brigade.algorithm.allreduce;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.bcast.KnomialBcast;
import org.brigade.algorithm.reduce.KnomialReduce;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Reduce + broadcast: sums climb a k-nomial tree to rank 0, and the total comes down the same tree; chunks may be
 * pipelined.
 *
 * <p>
 * Source: {@link KnomialReduce} and {@link KnomialBcast}. With w windows and t = (k - 1) log_k n, the messages of the
 * root: {@code T = (2 t + (w - 1)(t + log_k n - 1))(ts + M/(w B))}. Rounds: 2 ceil(log_k n). Bytes: 2 (n - 1) M in all,
 * the fewest messages of all allreduces. Restrictions: none.
 */
public final class ReduceBcastAllreduce extends CollectiveAlgorithm {
    public ReduceBcastAllreduce() {
        super(Collective.ALLREDUCE, "reduce-bcast", Restrictions.NONE);
    }

    @Override
    public boolean pipelined() {
        return true;
    }

    @Override
    public boolean radixed() {
        return true;
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        int messages = CostModel.treeMessages(call.ranks(), call.radix());
        // A rank sends its next window up only after the sums of the last one down.
        int period = messages + CostModel.rounds(call.ranks(), call.radix()) - 1;
        double windows = CostModel.windows(call.bytes(), call.chunk());
        return (2 * messages + (windows - 1) * period) * model.message(call.bytes() / windows);
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        Slice own = send(schedule, 0);
        Slice result = recv(schedule, 0);
        schedule.windows(() -> {
            KnomialReduce.collect(geometry, 0, geometry.radix(), schedule, own, result);
            KnomialBcast.spread(geometry, 0, geometry.radix(), schedule, result);
        });
    }
}

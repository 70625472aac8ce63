package org.brigade.algorithm.allgather;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Direct allgather: every rank sends its block to every other.
 *
 * <p>
 * {@code T = (n - 1)(ts + m/B)} for blocks of m bytes, all sent at once. Rounds: 1. Bytes: (n - 1) m a rank, the least
 * possible, and nothing is passed on. Restrictions: none. The fewest hops there can be, for the smallest blocks on few
 * ranks.
 */
public final class DirectExchangeAllgather extends CollectiveAlgorithm {
    public DirectExchangeAllgather() {
        super(Collective.ALLGATHER, "direct-exchange", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return call.others() * model.start() + model.transferShifted((double) call.others() * call.bytes());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int ranks = geometry.ranks();
        int rank = geometry.rank();
        schedule.rounds(ranks - 1, round -> {
            Index to = round.plus(rank + 1).mod(ranks);
            Index from = round.times(-1).plus(rank - 1).mod(ranks);
            schedule.send(to, send(schedule, 0));
            schedule.receive(from, schedule.recv(from, 1));
        });
        schedule.copy(recv(schedule, rank), send(schedule, 0));
    }
}

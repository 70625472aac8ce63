package org.brigade.algorithm.alltoall;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Pairwise exchange: in round i every rank sends to the one i + 1 further on and receives from the one i + 1 before it.
 *
 * <p>
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", 2005, section
 * 3.3: {@code T = (n - 1)(ts + m/B)} for blocks of m bytes. Rounds: n - 1. Bytes: (n - 1) m a rank, the least possible.
 * Restrictions: none. Serves alltoall and alltoallv. Sends and receives are independent, so a slow partner in one round
 * does not delay the other direction.
 */
public final class PairwiseAlltoall extends CollectiveAlgorithm {
    public PairwiseAlltoall(Collective collective) {
        super(collective, "pairwise", Restrictions.NONE);
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
            schedule.send(to, schedule.send(to, 1));
            schedule.receive(from, schedule.recv(from, 1));
        });
        schedule.copy(recv(schedule, rank), send(schedule, rank));
    }
}

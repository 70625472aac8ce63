package org.brigade.algorithm.reducescatter;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Pairwise reduce-scatter: every rank sends every other rank that rank's block, and adds up the blocks it receives.
 *
 * <p>
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", 2005, section
 * 4.1: {@code T = (n - 1) ts + ((n - 1)/n)(M/B + M c)} for M bytes of input. Rounds: n - 1. Bytes: ((n - 1)/n) M a
 * rank, the least possible. Restrictions: none.
 *
 * <p>
 * Order: blocks arrive from rank - 1 down to 0, then from n - 1 down to rank + 1. Each block of the first run is put
 * before the sum so far. The second run is summed apart in the same way and added last. So rank order is kept.
 */
public final class PairwiseReduceScatter extends CollectiveAlgorithm {
    public PairwiseReduceScatter() {
        super(Collective.REDUCE_SCATTER, "pairwise", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return call.others() * model.start()
            + model.transferShifted((double) call.others() / call.ranks() * call.bytes());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int ranks = geometry.ranks();
        int rank = geometry.rank();
        schedule.rounds(ranks - 1, round -> {
            Index to = round.plus(rank + 1).mod(ranks);
            schedule.send(to, schedule.send(to, 1));
        });

        Slice own = send(schedule, rank);
        Slice result = recv(schedule, 0);
        if (rank > 0) {
            schedule.receiveReduce(rank - 1, result, own, true);
            schedule.rounds(rank - 1,
                round -> schedule.receiveReduce(round.times(-1).plus(rank - 2), result, result, true));
        }
        int above = ranks - 1 - rank;
        Slice sum = rank == 0 ? own : result;
        if (above == 0) {
            if (rank == 0) {
                schedule.copy(result, own);
            }
        } else if (above == 1) {
            schedule.receiveReduce(rank + 1, result, sum, false);
        } else {
            Slice later = rank == 0 ? result : scratch(schedule, 0, rank);
            schedule.receive(ranks - 1, later);
            schedule.rounds(above - 1,
                round -> schedule.receiveReduce(round.times(-1).plus(ranks - 2), later, later, true));
            schedule.reduce(result, rank == 0 ? own : later, rank == 0);
        }
    }
}

package org.brigade.algorithm.allreduce;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Direct allreduce: every rank sends its vector to every other and adds up what it receives in rank order,
 * {@code ((0+1)+2)+3}.
 *
 * <p>
 * {@code T = 3 (n - 1)(ts + M/B)} where messages wait for their receivers, as all want rank 0's first: a third of it
 * where links take them in ahead. Rounds: 1. Bytes: (n - 1) M a rank. Restrictions: none. The fewest hops there can be,
 * for the smallest messages on few ranks.
 */
public final class DirectExchangeAllreduce extends CollectiveAlgorithm {
    public DirectExchangeAllreduce() {
        super(Collective.ALLREDUCE, "direct-exchange", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return (call.ranks() == 2 ? 1 : 3) * call.others() * model.message(call.bytes());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int ranks = geometry.ranks();
        int rank = geometry.rank();
        Slice own = send(schedule, 0);
        Slice result = recv(schedule, 0);
        if (ranks == 1) {
            schedule.copy(result, own);
            return;
        }
        for (int distance = 1; distance < ranks; distance++) {
            schedule.send((rank + distance) % ranks, own);
        }
        // In place, partial sums must not overwrite the rank's own vector while it is being sent.
        Slice spare = geometry.inPlace() ? scratch(schedule, 0, 0) : result;
        Slice sum = rank == 0 ? own : null;
        for (int next = 0; next < ranks; next++) {
            boolean last = next == ranks - 1;
            if (next == rank) {
                addOwn(schedule, sum, own, last ? result : spare);
            } else if (sum == null && rank == 1 && !(geometry.inPlace() && ranks == 2)) {
                // Ranks 0 and 1 in one step. (Two ranks in place would each wait for the other's send.)
                schedule.receiveReduce(0, spare, own, true);
                next++;
            } else if (sum == null) {
                schedule.receive(next, spare);
            } else {
                schedule.receiveReduce(next, last ? result : spare, sum, false);
            }
            sum = next == rank && rank == 0 ? own : spare;
        }
    }

    /** {@code target = sum op own}; nothing if own is the first summand. */
    private static void addOwn(ScheduleBuilder schedule, Slice sum, Slice own, Slice target) {
        if (sum == own) {
            return;
        }
        if (target == sum) {
            schedule.reduce(target, own, false);
        } else {
            schedule.reduce(target, sum, true);
        }
    }
}
